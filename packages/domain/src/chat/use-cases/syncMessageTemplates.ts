import { DateTime, Effect, Equal, Schema, Stream } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, nextId, NotFound, Outbox, transact, useCase } from "../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { ChatChannel, type ProviderTemplate } from "../ChatChannel.ts"
import { type ChatAccountId, MessageTemplateId } from "../Ids.ts"
import { openLine } from "../lineOf.ts"
import { MessageTemplate, type TemplateComponents, TemplateName } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"
import { saveTemplate } from "../saveTemplate.ts"
import { componentsOf } from "../templates/parts.ts"
import { variablesOf } from "../templates/variablesOf.ts"

/** What a synchronization has come to. `missing` are those that the provider does not keep any more: they cannot be sent. */
export const TemplateSync = Schema.Struct({
  created: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  missing: Schema.Int
}).annotate({ identifier: "TemplateSync" })
export type TemplateSync = typeof TemplateSync.Type

const keyOf = ({ language, name }: Pick<ProviderTemplate, "language" | "name">) => JSON.stringify([name, language])

const isName = Schema.is(TemplateName)

/** Those that can be kept here: some that the provider made long ago, or for others, have parts that nobody else has. */
const understood = (kept: ReadonlyArray<ProviderTemplate>) =>
  kept.flatMap((template) => {
    const components = isName(template.name) ? componentsOf(template.parts) : null
    return components === null ? [] : [{ template, components }]
  })

const told = (
  { category, externalId, quality, rejectionReason, status }: ProviderTemplate,
  components: TemplateComponents
) => ({
  category,
  components,
  variables: variablesOf(components),
  status,
  rejectionReason,
  quality,
  externalId
})

const create = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  template: ProviderTemplate,
  components: TemplateComponents
) {
  const now = yield* DateTime.now
  const id = yield* nextId(MessageTemplateId)
  const { language, name } = template
  yield* Effect.orDie(
    (yield* MessageTemplates).insert(
      new MessageTemplate({
        id,
        chatAccountId,
        name,
        language,
        ...told(template, components),
        createdAt: now,
        updatedAt: now,
        version: 1
      })
    )
  )
  yield* (yield* Outbox).append({ type: "message_template.created", messageTemplateId: id })
})

const update = Effect.fnUntraced(function* (
  before: MessageTemplate,
  template: ProviderTemplate,
  components: TemplateComponents
) {
  const after = new MessageTemplate({ ...before, ...told(template, components) })
  if (Equal.equals({ ...before }, { ...after })) return false
  yield* Effect.orDie(saveTemplate(before, new MessageTemplate({ ...after, updatedAt: yield* DateTime.now })))
  return true
})

const apply = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, kept: ReadonlyArray<ProviderTemplate>) {
  yield* (yield* Locks).exclusive("message_templates")
  const known = new Map(
    (yield* (yield* MessageTemplates).ofAccounts([chatAccountId])).map((template) => [keyOf(template), template])
  )
  const counts = { created: 0, updated: 0, unchanged: 0, missing: 0 }
  for (const { components, template } of understood(kept)) {
    const before = known.get(keyOf(template))
    if (before === undefined) {
      yield* create(chatAccountId, template, components)
      counts.created += 1
    } else counts[(yield* update(before, template, components)) ? "updated" : "unchanged"] += 1
  }
  const present = new Set(kept.map(keyOf))
  for (const template of known.values()) {
    if (template.externalId === null || present.has(keyOf(template))) continue
    counts.missing += 1
    if (template.status === "disabled") continue
    const updatedAt = yield* DateTime.now
    yield* Effect.orDie(saveTemplate(template, new MessageTemplate({ ...template, status: "disabled", updatedAt })))
  }
  yield* record("message_templates.synced", { kind: "chat_account", id: chatAccountId }, { after: counts })
  return counts satisfies TemplateSync
}, transact)

/** Brings in the message templates as the provider keeps them. Drafts that it does not know stay as they are. */
export const syncMessageTemplates = useCase(
  "messageTemplates.sync",
  { access: { permission: "message_templates.manage" } },
  Effect.fnUntraced(function* (chatAccountId: ChatAccountId) {
    const account = yield* Effect.mapError(
      (yield* ChatAccounts).get(chatAccountId),
      () => new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
    )
    const line = yield* openLine(account)
    const kept = yield* Stream.runCollect((yield* ChatChannel).templates(line))
    return yield* apply(chatAccountId, kept)
  })
)
