"""The search as a WebAssembly module: the same kernels, for browsers, Node, and Python before anything is compiled.

`state`     the module's memory: every array it works in, described once as data
`kernels`   what it exports
`digest`    which kernels, weights and curves it was made of
`building`  `malecon engine build`
`module`    the built files of a game, refused if they are stale
`runtime`   running it in Python, through wasmtime
"""
