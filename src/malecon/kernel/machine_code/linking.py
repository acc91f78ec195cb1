"""How kernels become machine code: each is lowered once, and only those that Python calls are optimised and kept.

Numba would turn every function into machine code with wrappers of its own, although all of it is linked into whatever
calls it and optimised there again. A callee here is lowered and waits as it is; an entry point takes in all that it
reaches. Nothing but Numba's own parts is used, and functions of others that call kernels compile as they always do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import binding  # type: ignore[import-untyped]
from numba.core import compiler, sigutils
from numba.core import types as numba_types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global

types: Any = numba_types  # Numba's own hints do not know half of it


def widen(kind: Any) -> Any:
    """The type a kernel is compiled for when another kernel calls it with this one: one width of integers for all."""
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


# --- libraries of code


class LoweredLibrary(JITCodeLibrary):  # type: ignore[misc]
    """One function for others to link; it never becomes machine code by itself."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def own_module(self) -> Any:
        """The function alone, without what it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """What a library of somebody else's links: the function and all that it reaches."""
        whole = self.own_module().clone()
        for library in reach(self):
            if library is not self:
                whole.link_in(module_of(library), preserve=True)
        return whole


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of an entry point and of everything it reaches, optimised together."""

    def finalize(self) -> None:
        for library in reach(self):
            if library is not self:
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(module_of(library), preserve=True)
        self._linking_libraries: list[Any] = []
        super().finalize()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Machine code, and of its bitcode only which functions there are: others link the lowered callee."""
        self._ensure_finalized()
        names = binding.parse_assembly(str(self._codegen._create_empty_module(self.name)))
        empty = (f'define void @"{function.name}"() {{ ret void }}' for function in self.get_defined_functions())
        names.link_in(binding.parse_assembly("\n".join(empty)))
        return self.name, "object", (self._get_compiled_object(), names.as_bitcode())


def module_of(library: Any) -> Any:
    return library.own_module() if isinstance(library, LoweredLibrary) else library._get_module_for_linking()


def reach(library: Any) -> Iterator[Any]:
    """A library and all that its lowered functions call, each once."""
    seen, waiting = {library}, [library]
    while waiting:
        linked = waiting.pop()
        yield linked
        if linked is library or isinstance(linked, LoweredLibrary):
            new = [other for other in dict.fromkeys(linked._linking_libraries) if other not in seen]
            seen.update(new)
            waiting += new


# --- compilers


class _Lowering(_FunctionCompiler):  # type: ignore[misc]
    """Lowers a function for others to link."""

    library_class = LoweredLibrary
    no_compile = True

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = self.no_compile
        flags.no_cpython_wrapper = self.no_compile
        flags.no_cfunc_wrapper = True
        target = self.targetdescr.target_context
        library = self.library_class(target.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            target,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
            pipeline_class=self.pipeline_class,
        )


class _Compiling(_Lowering):
    """Compiles an entry point. The functions in it find their environments, without which they could raise nothing."""

    library_class = EntryLibrary
    no_compile = False

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        compiled = super()._compile_core(args, return_type)
        for variable in compiled.library._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith("_ZN08NumbaEnv") else None
            if environment is not None:
                compiled.codegen.set_env(variable.name, environment)
        return compiled


class Callee(CPUDispatcher):  # type: ignore[misc]
    """A kernel as other kernels call it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        replace_compiler(self, _Lowering)

    def compile(self, sig: Any) -> Any:
        args, return_type = sigutils.normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            result = self.overloads.get(tuple(args))
            if result is None:
                lowered = self._compiler.compile(args, return_type)
                result = lowered._replace(entry_point=object())  # only a name for it: there is nothing to jump to
                self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
                self.overloads[tuple(args)] = result
        return result.entry_point


def replace_compiler(dispatcher: Any, kind: type[_FunctionCompiler]) -> None:
    old = dispatcher._compiler
    dispatcher._compiler = kind(old.py_func, old.targetdescr, old.targetoptions, old.locals, old.pipeline_class)


class EntryPoint(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it. Kernels that call it get its `callee`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        replace_compiler(self, _Compiling)
        self.callee = Callee(self.py_func, targetoptions=dict(self.targetoptions))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.callee.get_call_template(tuple(map(widen, args)), {name: widen(kws[name]) for name in kws})

    def get_overload(self, sig: Any) -> Any:
        return self.callee.get_overload(sig)


# --- verbs


def dispatch(verb: Callable[..., Any], find: Callable[[Any], Any]) -> None:
    """In kernels, a call of this verb is a call of the kernel that `find` names for the type of its first argument."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        key = verb

        def generic(self, args: Any, kws: Any) -> Any:
            own = find(args[0]) if args and not kws else None
            return None if own is None else types.Dispatcher(own).get_call_type(self.context, args, {})

        def get_impl_key(self, sig: Any) -> Any:
            return find(sig.args[0]).get_overload(sig)

    infer_global(verb, types.Function(Template))
