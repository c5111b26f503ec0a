// Drives the server with the client of the official TypeScript SDK, over standard input
// and output and over HTTP, and prints what it was told as one JSON object.
// Usage: node client.mjs SDK-FOLDER PROGRAM CORPUS
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, program, corpus] = process.argv.slice(2);
const require = createRequire(join(sdk, "package.json"));
const part = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await part("client/index.js");
const { StdioClientTransport } = await part("client/stdio.js");
const { StreamableHTTPClientTransport } = await part("client/streamableHttp.js");

async function talk(transport) {
  const client = new Client({ name: "claude-code", version: "1" });
  await client.connect(transport);
  const text = async (name, args) => {
    const r = await client.callTool({ name, arguments: args });
    return (r.isError ? "error: " : "") + r.content.map((c) => c.text).join("");
  };
  const out = {
    server: client.getServerVersion().name,
    instructions: client.getInstructions().length,
    tools: (await client.listTools()).tools.map((t) => t.name),
    prompts: (await client.listPrompts()).prompts.map((p) => p.name),
    templates: (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate),
    search: await text("search", { query: ["make", "generate"] }),
    get: await text("get", { ids: "aaaa" }),
    propose: await text("propose", { content: "Use pnpm in this repository.", quote: "nobody said this here", project: "shop" }),
    feedback: await text("feedback", { id: "L-aaaa", verdict: "helped", note: "It did." }),
    remember: JSON.parse(await text("remember", { query: "make" })).memories.length,
    wrong: await text("search", {}),
    resource: (await client.readResource({ uri: "learnings://lesson/aaaa" })).contents[0].text,
    prompt: (await client.getPrompt({ name: "what-did-we-learn" })).messages[0].content.text,
  };
  try {
    await client.callTool({ name: "approve", arguments: {} });
  } catch (err) {
    out.unknown = String(err);
  }
  out.many = (await Promise.all(Array.from({ length: 1000 }, () => text("search", { query: "make" })))).filter((t) => t.includes("[L-aaaa]")).length;
  await client.close();
  return out;
}

const stdio = await talk(new StdioClientTransport({ command: program, args: ["mcp", "--dir", corpus], env: process.env }));
const server = spawn(program, ["mcp", "--http", "0", "--dir", corpus], { stdio: ["ignore", "pipe", "inherit"] });
let printed = "";
const config = await new Promise((resolve) =>
  server.stdout.on("data", (data) => {
    printed += data;
    try {
      resolve(JSON.parse(printed).mcpServers.learnings);
    } catch {} // there is more to come
  }),
);
const http = await talk(new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: config.headers } }));
const code = await new Promise((resolve) => {
  server.on("exit", (code) => resolve(code));
  server.kill("SIGTERM");
});
console.log(JSON.stringify({ stdio, http, code }));
