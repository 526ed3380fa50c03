import type { ActionType } from "./Action.ts"

/**
 * Format of the texts of a field: natural language, template variables, or plain. In a typed field, a text that is exactly one output keeps
 * the type of its value.
 */
export type TextStyle = "words" | "template" | "plain" | "typed"

const none: ReadonlyArray<readonly [field: string, style: TextStyle]> = []

/** Which fields of an action have texts with Liquid. */
export const textsOf: Readonly<Record<ActionType, typeof none>> = {
  send_message: [
    ["message", "words"],
    ["whenClosed", "template"]
  ],
  send_template: [["template", "template"]],
  send_away: [["message", "words"]],
  auto_assign: none,
  tag: none,
  untag: none,
  set_attribute: [["attributes", "plain"]],
  assign: none,
  set_priority: none,
  add_labels: none,
  remove_labels: none,
  set_status: none,
  add_note: [["text", "words"]],
  call_webhook: [["body", "typed"]],
  start_workflow: [["input", "typed"]],
  plugin_action: [["input", "typed"]]
}

/** Whether a text has Liquid in it. */
export const hasLiquid = (text: string): boolean => text.includes("{{") || text.includes("{%")
