import { Schema } from "effect"
import { AttributesInput, ConsentEvidence, ConsentSource, TagId } from "../../../crm/index.ts"
import { PluginActionKey } from "../../../integrations/plugins/index.ts"
import { HeaderName, HeaderValue, HttpMethod, WebhookSubscriptionId } from "../../../integrations/webhooks/index.ts"
import { isStorable, PluginId, StorableJson, StorableJsonObject, UserId, Uuid } from "../../../kernel/index.ts"
import { ChatAccountId, MessageTemplateId, TemplateInputs } from "../../../messaging/chat/index.ts"
import {
  AutoAssignment,
  ConversationStatus,
  Labels,
  NewMessage,
  NoteText,
  Priority
} from "../../../messaging/inbox/index.ts"
import { SingleLineText } from "../../../platform/identity/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import { ScheduleId } from "../../schedules/index.ts"

export const WorkflowId = Uuid.pipe(Schema.brand("WorkflowId"))
export type WorkflowId = typeof WorkflowId.Type

export const maxActions = 20

const maxJsonBytes = 32 * 1024

const isSmall = Schema.makeFilter(
  (value: Schema.Json) => utf8Bytes(JSON.stringify(value)).length <= maxJsonBytes || "Expected at most 32 KiB of JSON"
)

const liquid = "Texts are Liquid templates."

/** JSON input of a plugin action or a workflow. */
const Input = StorableJsonObject.check(isSmall).annotate({ description: liquid })

/** Message without content of a specific conversation. */
const StandaloneMessage = NewMessage.check(
  Schema.makeFilter((input: NewMessage) => {
    if (input.kind === "template")
      return { path: ["kind"], issue: "Expected another kind: send_template sends templates" }
    if (input.kind === "provider")
      return { path: ["kind"], issue: "Expected another kind: only members send messages in the form of the provider" }
    if (input.kind === "reaction") return { path: ["kind"], issue: "Expected another kind: a reaction needs a message" }
    if (input.replyToId !== undefined)
      return { path: ["replyToId"], issue: "Expected no replyToId: it identifies a single message" }
    return (
      input.recipient === undefined || {
        path: ["recipient"],
        issue: "Expected no recipient: it identifies a single person"
      }
    )
  })
).annotate({ description: liquid })

const TagIdList = Schema.Array(TagId).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 tags" }),
  Schema.isUnique({ message: "Expected each tag once" })
)

const LabelList = Labels.check(Schema.isMinLength(1, { message: "Expected at least one label" }))

const SnoozeSeconds = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 60, maximum: 31_536_000 }, { message: "Expected a whole number from 60 to 31536000" })
)

/** Template with the values of its variables. */
export const ActionTemplate = Schema.Struct({
  id: MessageTemplateId,
  values: Schema.optionalKey(TemplateInputs.annotate({ description: liquid }))
}).annotate({ identifier: "ActionTemplate" })
export type ActionTemplate = typeof ActionTemplate.Type

const chatAccountField = Schema.optionalKey(ChatAccountId).annotateKey({
  description: "Number for contacts without an unresolved conversation. Default: the number of the last conversation."
})

const actionFields = {
  send_message: {
    message: StandaloneMessage,
    chatAccountId: chatAccountField,
    whenClosed: Schema.optionalKey(ActionTemplate).annotateKey({
      description: "Replacement while the service window is closed."
    })
  },
  send_template: { template: ActionTemplate, chatAccountId: chatAccountField },
  send_away: { scheduleId: ScheduleId, message: StandaloneMessage },
  auto_assign: AutoAssignment.fields,
  tag: { tagIds: TagIdList },
  untag: { tagIds: TagIdList },
  set_attribute: {
    attributes: AttributesInput.check(
      Schema.isMinProperties(1, { message: "Expected at least one attribute" })
    ).annotate({
      description: liquid
    })
  },
  set_name: {
    name: Schema.NullOr(SingleLineText).annotate({ description: `${liquid} Null clears the name.` })
  },
  set_consent: {
    state: Schema.Literals(["subscribed", "unsubscribed"]),
    source: Schema.optionalKey(ConsentSource).annotateKey({
      description: `Origin of the declaration. ${liquid} Default: \`automation\` or \`workflow\`.`
    }),
    evidence: ConsentEvidence.check(
      Schema.isBetweenCodePoints(1, 2_000, { message: "Expected a proof of 1 to 2000 characters" })
    ).annotate({
      description: `Proof of the declaration: a form, a message, a note. ${liquid}`
    })
  },
  assign: { assigneeId: Schema.NullOr(UserId).annotateKey({ description: "Null: nobody." }) },
  set_priority: { priority: Priority },
  add_labels: { labels: LabelList },
  remove_labels: { labels: LabelList },
  set_status: {
    status: ConversationStatus,
    snoozeSeconds: Schema.optionalKey(SnoozeSeconds).annotateKey({
      description: "Required for `snoozed`; not allowed otherwise."
    })
  },
  add_note: {
    text: NoteText.annotate({ description: liquid }),
    mentions: Schema.optionalKey(
      Schema.Array(UserId).check(
        Schema.isMaxLength(20, { message: "Expected at most 20 members" }),
        Schema.isUnique({ message: "Expected each member once" })
      )
    )
  },
  call_webhook: {
    webhookSubscriptionId: WebhookSubscriptionId,
    body: StorableJson.check(isSmall).annotate({ description: liquid })
  },
  http_request: {
    method: HttpMethod,
    url: Schema.String.check(
      isStorable,
      Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })
    ).annotate({
      description: "Address that begins with https://. Values of Liquid in the path and the query are percent-encoded."
    }),
    webhookSubscriptionId: Schema.optionalKey(WebhookSubscriptionId).annotateKey({
      description:
        "Webhook subscription with the same scheme, host and port: its secret signs the request, and its headers are added. Default: no signature."
    }),
    headers: Schema.optionalKey(Schema.Record(HeaderName, HeaderValue)).annotateKey({
      description: `Up to ten headers without secrets. ${liquid}`
    }),
    body: Schema.optionalKey(StorableJson.check(isSmall)).annotateKey({ description: `Body as JSON. ${liquid}` }),
    timeoutSeconds: Schema.optionalKey(
      Schema.Number.check(
        Schema.isInt({ message: "Expected a whole number" }),
        Schema.isBetween({ minimum: 1, maximum: 30 }, { message: "Expected a whole number from 1 to 30" })
      )
    ).annotateKey({ description: "Time limit of an attempt. Default: 10." })
  },
  start_workflow: { workflowId: WorkflowId, input: Schema.optionalKey(Input) },
  plugin_action: { pluginId: PluginId, action: PluginActionKey, input: Input }
} as const

export type ActionType = keyof typeof actionFields

export const actionTypes = Object.keys(actionFields) as ReadonlyArray<ActionType>

const actionUnionWith = <const Others extends Schema.Struct.Fields>(others: Others) => {
  const of = <const Type extends ActionType>(type: Type) =>
    Schema.Struct({ type: Schema.Literal(type), ...actionFields[type], ...others })
  return Schema.Union([
    of("send_message"),
    of("send_template"),
    of("send_away"),
    of("auto_assign"),
    of("tag"),
    of("untag"),
    of("set_attribute"),
    of("set_name"),
    of("set_consent"),
    of("assign"),
    of("set_priority"),
    of("add_labels"),
    of("remove_labels"),
    of("set_status"),
    of("add_note"),
    of("call_webhook"),
    of("http_request"),
    of("start_workflow"),
    of("plugin_action")
  ])
}

/** Action of an automation or a workflow. */
export const Action = actionUnionWith({}).annotate({ identifier: "Action" })
export type Action = typeof Action.Type

export type ActionOf<Type extends ActionType> = Extract<Action, { readonly type: Type }>

const OnError = Schema.optionalKey(Schema.Literals(["continue", "stop"])).annotateKey({
  description: "Whether the next actions run after a failure. Default: `continue`."
})

/** Name of an action or a node, for the texts of later ones. */
export const StepName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/u, {
    message: "Expected 1 to 40 letters, digits, _ and -, starting with a letter"
  })
)

const stepId = Schema.optionalKey(StepName).annotateKey({
  description: "Name of the action for later texts, such as `lookup` in `{{ steps.lookup.output.status }}`."
})

/** Action of an automation, with its name and the policy for the actions after a failure. */
export const AutomationAction = actionUnionWith({ id: stepId, onError: OnError }).annotate({
  identifier: "AutomationAction"
})
export type AutomationAction = typeof AutomationAction.Type

/** Actions of an automation. They run in order. */
export const AutomationActions = Schema.Array(AutomationAction).check(
  Schema.isBetweenLength(1, maxActions, { message: `Expected 1 to ${maxActions} actions` })
)
export type AutomationActions = typeof AutomationActions.Type

/**
 * Format of the texts of a field: natural language, template variables, plain, or a URL with encoded values. In a typed field, a text that is exactly one output keeps
 * the type of its value.
 */
export type TextStyle = "words" | "template" | "plain" | "typed" | "url"

const noTextFields: ReadonlyArray<readonly [field: string, style: TextStyle]> = []

/** Fields of each action whose texts can contain Liquid. */
export const actionTextFields: Readonly<Record<ActionType, typeof noTextFields>> = {
  send_message: [
    ["message", "words"],
    ["whenClosed", "template"]
  ],
  send_template: [["template", "template"]],
  send_away: [["message", "words"]],
  auto_assign: noTextFields,
  tag: noTextFields,
  untag: noTextFields,
  set_attribute: [["attributes", "plain"]],
  set_name: [["name", "plain"]],
  set_consent: [
    ["source", "plain"],
    ["evidence", "plain"]
  ],
  assign: noTextFields,
  set_priority: noTextFields,
  add_labels: noTextFields,
  remove_labels: noTextFields,
  set_status: noTextFields,
  add_note: [["text", "words"]],
  call_webhook: [["body", "typed"]],
  http_request: [
    ["url", "url"],
    ["headers", "plain"],
    ["body", "typed"]
  ],
  start_workflow: [["input", "typed"]],
  plugin_action: [["input", "typed"]]
}

export const hasLiquid = (text: string): boolean => text.includes("{{") || text.includes("{%")
