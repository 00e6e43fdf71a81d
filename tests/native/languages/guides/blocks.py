"""Runs programs of pages with mocks of Pulumi's SDK and the real SDK of this package. Other packages accept anything."""

import importlib.machinery
import json
import sys
import types

import pulumi

OTHERS = {"pulumi_github"}


class OtherPackages:
    """Stands in for packages that only a reader's project has."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name in OTHERS else None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: lambda *args, **options: None
        return module

    def exec_module(self, module):
        pass


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return f"{args.name}-id", {"name": args.name, **args.inputs}  # a name is generated if there is none

    def call(self, args):
        value = {"aggregations": [{"value": 0}]}
        return {"buckets": {"totals": [value]}}


sys.meta_path.insert(0, OtherPackages())
pulumi.runtime.set_mocks(Mocks())
pulumi.runtime.set_all_config({"project:image": "sha256:0a1b2c3d"})
failed = []


@pulumi.runtime.test
def run(code):
    exec(compile(code, "page", "exec"), {"__name__": "__main__"})


for at, code in json.load(sys.stdin).items():
    try:
        run(code)
    except Exception as failure:
        failed.append(f"{at}: {type(failure).__name__}: {failure}")
print(json.dumps(failed))
