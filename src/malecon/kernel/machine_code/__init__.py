"""How kernels become machine code: lowered and linked, and kept on disk under a digest of their sources.

Rules meet none of this: they use the `@kernel` decorator in `kernel.compile`.
"""
