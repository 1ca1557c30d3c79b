"""The server: tools, resources and prompts answered from the registry by the executor of the process.

The SDK checks neither arguments nor results against their schemas, so both are done here: arguments are decoded by the
record that the schema is made of, results are validated by the schema itself.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import mcp_types as types
from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from contextc import __version__
from contextc.capabilities.base import Capability
from contextc.capabilities.executor import EXECUTOR, Reply
from contextc.capabilities.objects import GET, LIST, ObjectAnswer, ObjectList, ObjectsGetInput, ObjectsListInput
from contextc.capabilities.registry import REGISTRY
from contextc.core.records.canonical import canonical_json
from contextc.core.records.codec import decode
from contextc.errors import ContextError, DocumentError, InputError
from contextc.surfaces.asking import question_of
from contextc.surfaces.faults import fault_of, refused
from contextc.surfaces.mcp import prompts
from contextc.surfaces.mcp.results import DEFAULT_LIMIT, Results, failed
from contextc.surfaces.mcp.tools import MORE, MoreInput, offered, tools

INSTRUCTIONS = (
    "contextc gives the context of a task in this repository: `compile` for a task in words or paths (a text within a "
    "token budget), `devcontext` for an issue, a milestone or an intent from the repository's own records, `search` "
    "for files, `object` for one record. All tools only read. A refusal says what would be enough."
)

#: Objects on a page of the list of resources.
RESOURCES_A_PAGE = 200

#: Types of texts by the ending of their file; others are plain.
MEDIA_TYPES = {".md": "text/markdown", ".yaml": "application/yaml", ".yml": "application/yaml"}

Context = Any


class Desk:
    """Answers the requests of MCP for one repository."""

    def __init__(self, root: str, limit: int = DEFAULT_LIMIT) -> None:
        self._bound = {"root": root}
        self._results = Results(limit)
        self._resources = {one.resource: one for one in REGISTRY if one.resource}

    async def list_tools(self, _: Context, params: object) -> types.ListToolsResult:
        """All tools, on one page."""
        return types.ListToolsResult(tools=list(tools()))

    async def call_tool(self, _: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer with a tool. Raises `MCPError` (-32602) for a tool that does not exist."""
        if params.name != MORE and params.name not in offered():
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}")
        return await to_thread.run_sync(self._call, params.name, params.arguments or {})

    def _call(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            sent = canonical_json(arguments)
            if name == MORE:
                return self._results.more(decode(sent, MoreInput).cursor)
            tool = offered()[name]
            question = question_of(tool.capability, decode(sent, tool.sent), self._bound)
            reply = EXECUTOR.ask(tool.capability, question)
            if reply.verdict == "refused":
                return failed(_refusal(reply))
            return self._results.of(name, reply)
        except DocumentError as error:
            names = ", ".join(prop for tool in tools() if tool.name == name for prop in tool.input_schema["properties"])
            hint = error.hint or f"the arguments of {name} are: {names or 'none'}"
            return failed(fault_of(DocumentError(error.problems, where=error.where, hint=hint)))
        except Exception as error:
            return failed(fault_of(error))

    async def list_resources(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The fixed resources, then the objects of the layer where there is one."""
        return await to_thread.run_sync(self._list_resources, params.cursor if params is not None else None)

    def _list_resources(self, cursor: str | None) -> types.ListResourcesResult:
        fixed = [] if cursor is not None else [_fixed(uri, one) for uri, one in self._resources.items()]
        question = ObjectsListInput(after=cursor, limit=RESOURCES_A_PAGE, **self._bound)
        try:
            found = EXECUTOR.ask(LIST, question).answer
        except ContextError:
            # No layer, no objects: that is no fault of the question.
            return types.ListResourcesResult(resources=fixed)
        assert isinstance(found, ObjectList)
        objects = [
            types.Resource(uri=one.uri, name=one.uri, title=one.title, mime_type=media_type(one.path))
            for one in found.objects
        ]
        return types.ListResourcesResult(resources=[*fixed, *objects], next_cursor=found.next)

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The text of a resource. Raises `MCPError` for one that is not there or is withheld."""
        return await to_thread.run_sync(self._read, params.uri)

    def _read(self, uri: str) -> types.ReadResourceResult:
        try:
            kind, text = self._text_of(uri)
        except ContextError as error:
            found = fault_of(error)
            data = {"code": found.code, "hint": found.hint}
            raise MCPError(types.INVALID_PARAMS, found.message, data) from None
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])

    def _text_of(self, uri: str) -> tuple[str, str]:
        fixed = self._resources.get(uri)
        if fixed is not None:
            reply = EXECUTOR.ask(fixed, question_of(fixed, fixed.input(), self._bound))
            return "application/json", reply.json.decode("utf-8")
        found = EXECUTOR.ask(GET, ObjectsGetInput(uri=uri, **self._bound)).answer
        assert isinstance(found, ObjectAnswer)
        if found.content is None:
            raise InputError(f"withheld: {found.withheld}", where=uri)
        kind = "application/json" if found.member is not None else media_type(found.path)
        return kind, found.content

    async def list_prompts(self, _: Context, params: object) -> types.ListPromptsResult:
        """All prompts, on one page."""
        return types.ListPromptsResult(prompts=prompts.listed())

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt with its arguments. Raises `MCPError` for a name or arguments that are not its own."""
        found = prompts.filled(params.name, params.arguments or {})
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name!r} with these arguments")
        return found


def _refusal(reply: Reply) -> Any:  # noqa: ANN401 - a fault
    assert reply.capability.refusal is not None, "a capability that can refuse says why"
    return refused(reply.capability.refusal(reply.answer))


def _fixed(uri: str, capability: Capability) -> types.Resource:
    return types.Resource(uri=uri, name=capability.id, description=capability.summary, mime_type="application/json")


def media_type(path: str) -> str:
    """The type of a text by the name of its file."""
    return MEDIA_TYPES.get(PurePosixPath(path).suffix, "text/plain")


def create_server(root: str, limit: int = DEFAULT_LIMIT) -> Server[Any]:
    """An MCP server for a repository. `limit` is in tokens a result."""
    desk = Desk(root, limit)
    server: Server[Any] = Server(
        "contextc",
        version=__version__,
        title="contextc",
        instructions=INSTRUCTIONS,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_read_resource=desk.read_resource,
        on_list_prompts=desk.list_prompts,
        on_get_prompt=desk.get_prompt,
    )
    # The SDK's own default sends spans to whatever exporter the process has; this one has nothing to send.
    server.middleware.clear()
    return server
