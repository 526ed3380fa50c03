import { DateTime, Effect, Equal } from "effect"
import { Locks, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { MessageTemplate } from "../MessageTemplate.ts"
import { MessageTemplates, saveTemplate, withTemplateLeases } from "../MessageTemplates.ts"
import type { UpsertedTemplate } from "../TemplateApproval.ts"
import { MessageTemplateExists } from "../errors.ts"
import type { AuthenticationTemplates } from "../templates/AuthenticationTemplates.ts"
import { openTemplates } from "../templates/openTemplates.ts"
import { rejectionAdvice } from "../templates/rejectionAdvice.ts"
import { insertProviderTemplate } from "../templates/templateSync.ts"
import { requestTemplateSync } from "../templates/templateSyncTask.ts"
import { validateTemplate } from "../templates/templateValidation.ts"
import { findTemplateVariables } from "../templates/templateVariables.ts"

const category = "authentication"

/** Refuses a content that the provider would refuse. */
const checkContent = ({ authentication, timeToLive }: AuthenticationTemplates) => {
  const content = { category, components: { authentication }, timeToLive: timeToLive ?? null } as const
  const errors = validateTemplate(content).map(({ message, pointer }) => ({
    message,
    pointer: pointer.replace(/^\/components/u, "")
  }))
  return errors.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors }))
}

/** Statuses without a call of the provider in progress. */
const replaceableStatuses = ["draft", "approved", "rejected"] as const

/** Returns the stored templates with this name, by language. */
const findStored = Effect.fnUntraced(function* ({ chatAccountId, languages, name }: AuthenticationTemplates) {
  const known = yield* (yield* MessageTemplates).ofAccounts([chatAccountId])
  return new Map(
    known
      .filter((template) => template.name === name && languages.includes(template.language))
      .map((template) => [template.language, template])
  )
})

/** Fails for a template of another category: the provider does not replace it. */
const requireCategory = (template: MessageTemplate) =>
  template.category === category
    ? Effect.void
    : Effect.fail(new MessageTemplateExists({ messageTemplateId: template.id }))

const withoutTime = (template: MessageTemplate) => {
  const { updatedAt: _, ...fields } = template
  return fields
}

const saveUpserted = Effect.fnUntraced(function* (
  { authentication, chatAccountId, name, timeToLive: givenTimeToLive }: AuthenticationTemplates,
  { externalId, language, status }: UpsertedTemplate,
  before: MessageTemplate | undefined
) {
  const components = { authentication }
  const timeToLive = givenTimeToLive ?? null
  const state = { category, components, externalId, status, timeToLive, rejectionReason: null } as const
  if (before === undefined) {
    return yield* insertProviderTemplate(chatAccountId, {
      ...state,
      name,
      language,
      quality: "unknown",
      qualityAt: null,
      announcedCategory: null,
      libraryName: null
    })
  }
  const after = new MessageTemplate({
    ...before,
    ...state,
    variables: findTemplateVariables(components),
    ...(before.status === status ? {} : { statusReason: null, statusUntil: null }),
    rejectionAdvice: rejectionAdvice(state),
    updatedAt: yield* DateTime.now
  })
  return Equal.equals(withoutTime(before), withoutTime(after)) ? before : yield* saveTemplate(before, after)
})

const saveAll = Effect.fnUntraced(function* (
  input: AuthenticationTemplates,
  upserted: ReadonlyArray<UpsertedTemplate>
) {
  yield* (yield* Locks).exclusive("message_templates")
  const stored = yield* findStored(input)
  const answered = input.languages.flatMap((language) => upserted.filter((each) => each.language === language))
  const data = yield* Effect.forEach(answered, (each) => saveUpserted(input, each, stored.get(each.language)))
  const { chatAccountId, languages, name } = input
  // A synchronization reads the texts of the provider, and languages without an answer.
  yield* requestTemplateSync([chatAccountId])
  yield* recordAudit(
    "message_templates.upserted",
    { kind: "chat_account", id: chatAccountId },
    { after: { name, languages } }
  )
  return { data }
}, transact)

const callProvider = Effect.fnUntraced(function* (input: AuthenticationTemplates) {
  const { authentication, chatAccountId, languages, name, timeToLive } = input
  const { line, templates } = yield* openTemplates(chatAccountId, "/chatAccountId")
  const upsert = { name, languages, authentication, timeToLive: timeToLive ?? null }
  return yield* saveAll(input, yield* templates.upsertAuthentication(line, upsert))
})

/**
 * Creates or replaces authentication templates with one name in several languages, in one call of the provider. A repetition replaces the templates by
 * the same content.
 */
export const upsertAuthenticationTemplates = useCase(
  {
    name: "messageTemplates.upsertAuthentication",
    access: { permission: "message_templates.manage" },
    audit: "message_templates.upserted",
    emits: ["message_template.created"]
  },
  Effect.fnUntraced(function* (input: AuthenticationTemplates) {
    yield* checkContent(input)
    const stored = [...(yield* findStored(input)).values()]
    const ids = stored.map(({ id }) => id)
    return yield* withTemplateLeases(ids, replaceableStatuses, requireCategory, callProvider(input))
  })
)
