// Gives {{title}} the lessons of past sessions. Taken out by `learnings setup --remove`.
import { spawnSync } from "node:child_process"

const program = {{program}}

// call asks a hook of learnings, which answers in milliseconds or not at all.
const call = (event, payload) => {
  const r = spawnSync(program, [event, "--for", "{{agent}}"{{pins}}], {
    input: JSON.stringify(payload), encoding: "utf8", timeout: 5000, windowsHide: true,
  })
  if (r.error || r.status !== 0 || !r.stdout) return {}
  try {
    return JSON.parse(r.stdout).hookSpecificOutput ?? {}
  } catch {
    return {}
  }
}

export const Learnings = async ({ directory }) => {
  const given = new Map() // the text of each session
  const before = new Map() // what was told before a call, which the model reads with its result
  const about = (name, id, more) => ({ hook_event_name: name, session_id: id ?? "", cwd: directory, ...more })
  const start = (id) => {
    if (!given.has(id)) given.set(id, call("session-start", about("SessionStart", id, { source: "startup", process: String(process.pid) })).additionalContext ?? "")
  }
  return {
    "chat.message": async (input, output) => {
      const prompt = (output.parts ?? []).filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
      start(input.sessionID)
      const text = prompt && call("user-prompt", about("UserPromptSubmit", input.sessionID, { prompt })).additionalContext
      if (text) given.set(input.sessionID, given.get(input.sessionID) + "\n\n" + text)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const id = input?.sessionID ?? ""
      start(id)
      if (given.get(id)) output.system.push(given.get(id))
    },
    "tool.execute.before": async (input, output) => {
      const answer = call("pre-tool", about("PreToolUse", input.sessionID, {
        tool_name: input.tool, tool_input: output?.args ?? {}, tool_use_id: input.callID,
      }))
      if (answer.permissionDecision === "deny" || answer.permissionDecision === "ask") throw new Error(answer.permissionDecisionReason ?? "a rule forbids it")
      if (answer.additionalContext) before.set(input.callID, answer.additionalContext)
    },
    "tool.execute.after": async (input, output) => {
      const told = before.get(input.callID)
      before.delete(input.callID)
      const said = String(output?.output ?? "")
      if (told && output) output.output = said + "\n\n" + told
      if (!output?.metadata?.exit) return // it succeeded, or is no command
      const text = call("tool-failure", about("PostToolUseFailure", input.sessionID, {
        tool_name: input.tool, tool_input: input.args ?? {}, tool_use_id: input.callID, error: said,
      })).additionalContext
      if (text) output.output += "\n\n" + text
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.idle") call("stop", about("Stop", id))
      if (event.type === "session.compacted") call("pre-compact", about("PreCompact", id))
    },
  }
}
