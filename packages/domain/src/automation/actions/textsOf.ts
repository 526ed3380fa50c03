import type { ActionType } from "./Action.ts"

/** As what the texts of a field are written: as people do, as the variables of a template, or as programs do. */
export type TextStyle = "words" | "template" | "plain"

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
  call_webhook: [["body", "plain"]],
  start_workflow: [["input", "plain"]],
  plugin_action: [["input", "plain"]]
}

/** Whether a text has Liquid in it. */
export const hasLiquid = (text: string): boolean => text.includes("{{") || text.includes("{%")
