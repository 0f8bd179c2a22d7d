"""Compile functions that only kernels call without machine code of their own, which nobody runs.

numba optimises each function and makes machine code of it, and again for each one that it is inlined in; here only the
last of these is done. That takes a third off the time until the first forest is grown. There is no public way to ask
for it, so private methods of numba are overridden, for the versions with which the tests of this module have passed;
with any other version everything compiles as numba does it, and only the first fit takes longer.
"""

import numba
from numba.core import codegen, compiler

#: First and last version (major, minor) of numba with which this was tried.
TRIED = ((0, 68), (0, 68))


def options():
    """Options of ``numba.njit`` for functions that only kernels call."""
    return {"pipeline_class": InnerCompiler} if TRIED[0] <= numba.version_info.short <= TRIED[1] else {}


class InnerCompiler(compiler.Compiler):
    """numba's compiler, whose code goes into an `InnerLibrary`."""

    def compile_extra(self, function):
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class InnerLibrary(codegen.JITCodeLibrary):
    """Code of a function that is optimised and made machine code only as a part of its callers."""

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalized = True
        self._get_module_for_linking()  # keeps the code; what is left for the engine are numba's own variables
        lines = [
            f'@"{variable.name}" = common global ptr null'
            for variable in self._final_module.global_variables
            if variable.name.startswith("_ZN08NumbaEnv")
        ]
        empty = str(self._codegen._create_empty_module(self.name))
        self._finalize_dynamic_globals()
        self._final_module = codegen.ll.parse_assembly("\n".join([empty, *lines]))
        super()._finalize_final_module()
