"""A real MCP server over stdio with one tool that works and one that does not."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("tools")


@server.tool()
def hello(name: str = "World") -> str:
    """Says hello."""
    return f"Hello, {name}!"


@server.tool()
def fail() -> str:
    """Fails."""
    raise RuntimeError("broken on purpose")


if __name__ == "__main__":
    server.run()
