/**
 * Published fields of each event type in version 1, with their types. Add new ones. Nothing here may be removed or change its type, because
 * receivers rely on it: that needs a new version.
 */
export const publishedFields = `
automation.created automationId:string
automation.deleted automationId:string cancelledRuns:integer
automation.disabled automationId:string disabledReason:null|string
automation.enabled automationId:string
automation.run_aborted automationId:string reason:string runId:string
automation.run_cancelled automationId:string runId:string
automation.run_failed automationId:string runId:string
automation.due automationId:string contactId:string date:string dueAt:date-time
automation.triggered automationId:string callId:string contactId:string
automation.updated automationId:string
automations.paused
automations.resumed
automation_token.adopted automationTokenId:string
automation_token.issued automationTokenId:string
automation_token.revoked automationTokenId:string
broadcast.created broadcastId:string
broadcast.deleted broadcastId:string
broadcast.opted_out broadcastId:string contactId:string messageId:string
broadcast.progressed broadcastId:string stats.delivered:integer stats.excluded:integer stats.failed:integer stats.heldOut:integer stats.inDoubt:integer stats.inFlight:integer stats.matched:integer stats.neverSent:integer stats.pending:integer stats.read:integer stats.sent:integer stats:object
broadcast.replied broadcastId:string contactId:string messageId:string
broadcast.status_changed broadcastId:string from:string reason:null|string refusal.code:integer|null refusal.reason:string refusal:object to:string
broadcast.updated broadcastId:string
broadcast_settings.updated 
canned_reply.created cannedReplyId:string
canned_reply.deleted cannedReplyId:string
canned_reply.updated cannedReplyId:string
cart.abandoned cartId:string contactId:null|string storeConnectionId:string
cart.recovered cartId:string contactId:null|string storeConnectionId:string
chat_account.connected chatAccountId:string
chat_account.notice chatAccountId:string detail:null|string event:string topic:string
chat_account.removed chatAccountId:string
chat_account.status_changed chatAccountId:string from:string to:string
chat_account.updated chatAccountId:string
contact.consent_changed contactId:string from:string purpose:string through:string to:string
contact.created contactId:string imported:boolean
contact.deleted contactId:string erased:boolean
contact.duplicate_dismissed contactId:string otherId:string
contact.duplicate_found contactId:string otherId:string source:string
contact.merged contactId:string mergeId:string mergedId:string
contact.tagged contactId:string tagIds:array tagIds[]:string
contact.unmerged contactId:string mergeId:string restoredId:string
contact.untagged contactId:string tagIds:array tagIds[]:string
contact.updated attributes:array attributes[]:string contactId:string fields:array fields[]:string imported:boolean
contact_field.created contactFieldId:string
contact_field.deleted contactFieldId:string
contact_field.updated contactFieldId:string
contacts.changed action:string changed:integer jobId:null|string unsubscribed:integer
contacts.imported created:integer jobId:string updated:integer
conversation.assigned assigneeId:null|string bulk:boolean conversationId:string
conversation.opened chatAccountId:string contactId:string conversationId:string status:string
conversation.read conversationId:string
conversation.status_changed awaits:string bulk:boolean chatAccountId:string conversationId:string from:string to:string
conversation.unread conversationId:string
conversation.updated awaits:string chatAccountId:string conversationId:string fields:array fields[]:string
customer.linked contactId:string storeConnectionId:string storeCustomerId:string
customer.unlinked contactId:string storeConnectionId:string storeCustomerId:string
job.finished jobId:string kind:string state:string
job.started jobId:string kind:string
member.availability_changed memberId:string
member.invited memberId:string role:string
member.joined memberId:string role:string
member.removed memberId:string
member.role_changed from:string memberId:string to:string
message.echoed chatAccountId:string contactId:string conversationId:string kind:string messageId:string
message.queued conversationId:string kind:string messageId:string
message.received awaits:string chatAccountId:string contactId:string conversationId:string kind:string messageId:string
message.status_changed conversationId:string from:string messageId:string to:string
message.updated conversationId:string fields:array fields[]:string messageId:string
message_template.category_change_announced at:null|string category:string messageTemplateId:string
message_template.created messageTemplateId:string
message_template.deleted messageTemplateId:string
message_template.status_changed from:string messageTemplateId:string to:string
message_template.updated messageTemplateId:string
note.created conversationId:string noteId:string
note.deleted conversationId:string noteId:string
note.updated conversationId:string noteId:string
order.cancelled contactId:null|string orderId:string storeConnectionId:string
order.created contactId:null|string orderId:string storeConnectionId:string
order.fulfilled contactId:null|string orderId:string storeConnectionId:string
order.paid contactId:null|string orderId:string storeConnectionId:string
order.refunded amount.amountMinor:integer amount.currency:string amount:object contactId:null|string orderId:string storeConnectionId:string
organization.created organizationId:string
organization.plan_changed from:string organizationId:string to:string
organization.status_changed from:string organizationId:string to:string
organization.updated organizationId:string
plugin.disabled pluginId:string
plugin.enabled pluginId:string
plugin.failed code:string pluginId:string
plugin.installed key:string pluginId:string version:string
plugin.uninstalled key:string pluginId:string
plugin.updated fields:array fields[]:string pluginId:string
plugin.upgraded from:string pluginId:string to:string
privacy_request.done contactId:null|string privacyRequestId:string storeConnectionId:string
privacy_request.due contactId:null|string privacyRequestId:string storeConnectionId:string
privacy_request.received contactId:null|string privacyRequestId:string storeConnectionId:string
segment.created segmentId:string
segment.deleted segmentId:string
segment.updated segmentId:string
store_connection.connected storeConnectionId:string
store_connection.removed storeConnectionId:string
store_connection.status_changed from:string storeConnectionId:string to:string
store_connection.synced jobId:string storeConnectionId:string
store_connection.updated storeConnectionId:string
tag.created tagId:string
tag.deleted tagId:string
tag.merged into:string tagId:string
tag.updated tagId:string
schedule.created scheduleId:string
schedule.deleted scheduleId:string
schedule.updated scheduleId:string
webhook_subscription.created webhookSubscriptionId:string
webhook_subscription.deleted webhookSubscriptionId:string
webhook_subscription.disabled reason:string webhookSubscriptionId:string
webhook_subscription.enabled webhookSubscriptionId:string
webhook_subscription.failing webhookSubscriptionId:string
webhook_subscription.secret_rotated webhookSubscriptionId:string
webhook_subscription.updated fields:array fields[]:string webhookSubscriptionId:string
workflow.archived runs:string workflowId:string
workflow.created workflowId:string
workflow.deleted workflowId:string
workflow.goal_reached contactId:null|string goalId:string runId:string workflowId:string
workflow.paused workflowId:string
workflow.published publishedVersion:integer workflowId:string
workflow.resumed workflowId:string
workflow.run_continued contactId:null|string nodeId:string runId:string workflowId:string
workflow.run_ended contactId:null|string reason:null|string runId:string state:string workflowId:string
workflow.run_started contactId:null|string runId:string workflowId:string workflowVersion:integer
workflow.updated workflowId:string
`
