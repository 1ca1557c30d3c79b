"""The snippets that clients of MCP want in their configuration."""

from __future__ import annotations

import json
from collections.abc import Callable

#: What clients call the server.
NAME = "contextc"
COMMAND = "contextc"
ARGUMENTS = ("mcp",)


def _json(key: str, **more: str) -> str:
    entry = {**more, "command": COMMAND, "args": list(ARGUMENTS)}
    return json.dumps({key: {NAME: entry}}, indent=2) + "\n"


def _toml() -> str:
    arguments = ", ".join(f'"{argument}"' for argument in ARGUMENTS)
    # Loading takes a second on a slow machine; the client gives up after ten by default.
    return f'[mcp_servers.{NAME}]\ncommand = "{COMMAND}"\nargs = [{arguments}]\nstartup_timeout_sec = 20\n'


#: By client: the file it belongs in, and the snippet.
CLIENTS: dict[str, tuple[str, Callable[[], str]]] = {
    "claude": (".mcp.json in the repository", lambda: _json("mcpServers")),
    "cursor": (".cursor/mcp.json in the repository", lambda: _json("mcpServers")),
    "vscode": (".vscode/mcp.json in the repository", lambda: _json("servers", type="stdio")),
    "codex": ("~/.codex/config.toml", _toml),
    "gemini": (".gemini/settings.json in the repository", lambda: _json("mcpServers")),
}
