"""Mistakes on the command line: exit 2, one line of what is wrong, one of what to do. And what needs no work at all."""

from __future__ import annotations

import pytest

from contextc import __version__


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compil"], "did you mean compile"),
        (["bundle", "valdate"], "did you mean validate"),
        (["zzz"], "there are: compile"),
        (["compile", "--buget", "5"], "did you mean --budget"),
        (["compile", "--budget", "many"], "--budget"),
        (["compile", "--budget", "-1"], "--budget"),
        (["compile", "--counter", "gpt9", "--intent", "x"], "o200k_base"),
        (["compile", "--intent", "x", "--intent-file", "-"], "twice"),
        (["bundle", "compile"], "--request"),
        (["bundle", "compile", "--request", "-", "--candidates", "-"], "standard input"),
    ],
)
def test_a_mistake_ends_with_2_and_says_what_to_do(contextc, sample, arguments, words):
    ran = contextc(*arguments, cwd=sample.path)
    assert ran.code == 2, ran
    assert words in ran.err
    assert ran.out == b""
    assert len(ran.err.splitlines()) <= 3


@pytest.mark.parametrize("given", [[], ["--intent", "   "]])
def test_without_a_task_the_command_says_what_to_give(contextc, sample, given):
    ran = contextc("compile", *given, cwd=sample.path)
    assert ran.code == 2, ran
    assert "--intent" in ran.err and "--path" in ran.err


def test_a_file_that_is_not_there_is_not_found(contextc, sample):
    ran = contextc("compile", "--intent-file", "no-such-file", cwd=sample.path)
    assert ran.code == 12
    assert "no-such-file" in ran.err


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], [], ["compile", "--help"], ["bundle"], ["bundle", "-h"]])
def test_help_is_on_standard_output_or_after_a_bare_group(contextc, arguments):
    ran = contextc(*arguments)
    assert ran.code in (0, 2)
    assert "Usage:" in ran.text + ran.err


def test_help_of_a_command_describes_every_parameter_in_the_words_of_its_record(contextc):
    from contextc.capabilities.compile import CompileInput
    from contextc.surfaces.cli.options import fields_of

    said = "".join(contextc("compile", "--help").text.split())  # lines are also broken at hyphens
    for field in fields_of(CompileInput):
        assert field.description, field.name
        assert "".join(field.description.split()) in said


def test_the_version_is_one_line(contextc):
    ran = contextc("--version")
    assert (ran.code, ran.text) == (0, f"contextc {__version__}\n")


def test_the_version_loads_no_library(contextc, home):
    import os
    import subprocess
    import sys

    script = (
        "import sys; sys.argv[1:] = ['--version']; from contextc.__main__ import main; main();"
        "print(sorted({'click', 'msgspec', 'tiktoken', 'tree_sitter', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=dict(os.environ))
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_every_command_builds_from_the_registry(contextc):
    from contextc.capabilities.registry import REGISTRY
    from contextc.surfaces.cli.app import tree
    from contextc.surfaces.cli.options import fields_of

    root = tree()
    for capability in REGISTRY:
        group, _, name = capability.id.rpartition(".")
        holder = root.makers[group]() if group else root
        command = holder.makers[name]()
        given = {parameter.name for parameter in command.params}
        assert given >= {field.name for field in fields_of(capability.input)}, capability.id
        assert command.help == capability.summary
