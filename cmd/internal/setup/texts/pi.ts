// Gives pi the lessons of past sessions. Taken out by `learnings setup --remove`.
import { spawnSync } from "node:child_process";

const program = {{program}};

// call asks a hook of learnings, which answers in milliseconds or not at all.
const call = (event: string, payload: object): any => {
  const r = spawnSync(program, [event, "--for", "pi"{{pins}}], {
    input: JSON.stringify(payload), encoding: "utf8", timeout: 5000, windowsHide: true,
  });
  if (r.error || r.status !== 0 || !r.stdout) return {};
  try {
    return JSON.parse(r.stdout).hookSpecificOutput ?? {};
  } catch {
    return {};
  }
};

export default function (pi: any) {
  let text: string | undefined; // what this session was given
  const before = new Map<string, string>(); // what was told before a call, which the model reads with its result
  const about = (name: string, ctx: any, more: object = {}) => ({
    hook_event_name: name, cwd: ctx.cwd, session_id: ctx.sessionManager.getSessionId?.() ?? "",
    transcript_path: ctx.sessionManager.getSessionFile?.() ?? "", ...more,
  });
  pi.on("session_start", () => { text = undefined; });
  pi.on("before_agent_start", (event: any, ctx: any) => {
    if (text === undefined) text = call("session-start", about("SessionStart", ctx, { source: "startup", process: String(process.pid) })).additionalContext ?? "";
    const more = event.prompt && call("user-prompt", about("UserPromptSubmit", ctx, { prompt: event.prompt })).additionalContext;
    if (more) text += "\n\n" + more;
    if (text) return { systemPrompt: event.systemPrompt + "\n\n" + text };
  });
  pi.on("tool_call", (event: any, ctx: any) => {
    const answer = call("pre-tool", about("PreToolUse", ctx, {
      tool_name: event.toolName, tool_input: event.input ?? {}, tool_use_id: event.toolCallId,
    }));
    if (answer.permissionDecision === "deny" || answer.permissionDecision === "ask") return { block: true, reason: answer.permissionDecisionReason ?? "a rule forbids it" };
    if (answer.additionalContext) before.set(event.toolCallId, answer.additionalContext);
  });
  pi.on("tool_result", (event: any, ctx: any) => {
    const told = before.get(event.toolCallId);
    before.delete(event.toolCallId);
    const content = told ? [...(event.content ?? []), { type: "text", text: told }] : event.content ?? [];
    if (!event.isError) return told ? { content } : undefined;
    const error = (event.content ?? []).filter((c: any) => c.type === "text").map((c: any) => c.text).join("\n");
    const more = call("tool-failure", about("PostToolUseFailure", ctx, {
      tool_name: event.toolName, tool_input: event.input ?? {}, tool_use_id: event.toolCallId, error,
    })).additionalContext;
    if (more) return { content: [...content, { type: "text", text: more }] };
    if (told) return { content };
  });
  pi.on("agent_end", (_event: any, ctx: any) => { call("stop", about("Stop", ctx)); });
  pi.on("session_before_compact", (_event: any, ctx: any) => { call("pre-compact", about("PreCompact", ctx)); });
  pi.on("session_shutdown", (_event: any, ctx: any) => { call("session-end", about("SessionEnd", ctx)); });
}
