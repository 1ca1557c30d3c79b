"""Prompts for the usual tasks: how an agent gets its context before it works."""

from __future__ import annotations

import mcp_types as types
from msgspec import Struct


class Usual(Struct, frozen=True, kw_only=True):
    """A prompt: its arguments by name with what they are, all of them required, and its text with places for them."""

    name: str
    description: str
    arguments: dict[str, str]
    text: str


USUAL: tuple[Usual, ...] = (
    Usual(
        name="start-task",
        description="Get the context of a task in words before working on it.",
        arguments={"task": "The task in words."},
        text=(
            "The task: {task}\n\n"
            "Call the tool `compile` with this task as `intent`. Work from the text of the bundle: it holds the rules "
            "that bind you, the decisions in force and the code the task is about. When it is refused, do as the hint "
            "says. When something is missing, call `search` with names from the code."
        ),
    ),
    Usual(
        name="start-issue",
        description="Get what work on an issue of this repository should be given.",
        arguments={"issue": "The issue: an identifier, an id or a slug."},
        text=(
            "You are to work on the issue {issue}.\n\n"
            "Call the tool `devcontext` with it as `issue`. Read every selected entry that is required with the tool "
            "`object`, then those of the tiers governance and decision; obey the rules among them. Say which entries "
            "conflict, if any do."
        ),
    ),
    Usual(
        name="why-not",
        description="Find out why something is not in the context that was given.",
        arguments={"uri": "The identifier of the object.", "issue": "The issue the context was for."},
        text=(
            "Call the tool `explain` with the uri {uri} and the issue {issue}. Say in a sentence why it was given or "
            "not, and what request would give it."
        ),
    ),
    Usual(
        name="change-files",
        description="Get the context of a change to certain files.",
        arguments={"paths": "The files or directories, separated by commas.", "task": "What is to change."},
        text=(
            "You are to change {paths}: {task}\n\n"
            "Call the tool `compile` with these paths as `paths`, each one an element of the list, and the task as "
            "`intent`. What the paths hold is in the bundle; obey the rules and decisions that stand before it."
        ),
    ),
)


def listed() -> list[types.Prompt]:
    """All prompts as MCP lists them."""
    return [
        types.Prompt(
            name=one.name,
            description=one.description,
            arguments=[
                types.PromptArgument(name=name, description=about, required=True)
                for name, about in one.arguments.items()
            ],
        )
        for one in USUAL
    ]


def filled(name: str, arguments: dict[str, str]) -> types.GetPromptResult | None:
    """A prompt with its arguments, None when there is none of this name or the arguments are not its own."""
    one = next((one for one in USUAL if one.name == name), None)
    if one is None or set(arguments) != set(one.arguments):
        return None
    # Not `str.format`: an argument may hold braces.
    text = one.text
    for key in one.arguments:
        text = text.replace("{" + key + "}", f"\0{key}\0")
    for key, value in arguments.items():
        text = text.replace(f"\0{key}\0", value)
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=one.description, messages=[message])
