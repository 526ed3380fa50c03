import type { Permission } from "../../../../kernel/index.ts"
import type { ActionType } from "../Action.ts"

/** Permission of each action type. It equals the permission of the corresponding API call. */
export const permissionOf: Readonly<Record<ActionType, Permission>> = {
  send_message: "conversations.manage",
  send_template: "conversations.manage",
  send_away: "conversations.manage",
  auto_assign: "conversations.manage",
  tag: "contacts.manage",
  untag: "contacts.manage",
  set_attribute: "contacts.manage",
  assign: "conversations.manage",
  set_priority: "conversations.manage",
  add_labels: "conversations.manage",
  remove_labels: "conversations.manage",
  set_status: "conversations.manage",
  add_note: "conversations.manage",
  call_webhook: "webhook_subscriptions.manage",
  start_workflow: "workflows.manage",
  plugin_action: "plugins.manage"
}
