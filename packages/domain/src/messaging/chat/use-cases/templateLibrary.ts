import { Effect } from "effect"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import type { ChatAccountId } from "../ChatAccount.ts"
import { MessageTemplates } from "../MessageTemplates.ts"
import { findProviderTemplate, type ProviderTemplate } from "../TemplateApproval.ts"
import { MessageTemplateExists } from "../errors.ts"
import type { LibraryQuery, NewLibraryMessageTemplate } from "../templates/LibraryTemplate.ts"
import { openTemplates } from "../templates/openTemplates.ts"
import { insertProviderTemplate } from "../templates/templateSync.ts"
import { requestTemplateSync } from "../templates/templateSyncTask.ts"

/** Lists templates of the provider's library. */
export const listLibraryTemplates = useCase(
  { name: "messageTemplates.library", access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* ({ chatAccountId, ...query }: { readonly chatAccountId: ChatAccountId } & LibraryQuery) {
    const { line, templates } = yield* openTemplates(chatAccountId, "/chatAccountId")
    return { data: yield* templates.library(line, query) }
  })
)

/** Fails before the call of the provider if the name and the language are taken here. */
const requireNewName = Effect.fnUntraced(function* ({ chatAccountId, language, name }: NewLibraryMessageTemplate) {
  const known = (yield* (yield* MessageTemplates).ofAccounts([chatAccountId])).find(
    (each) => each.name === name && each.language === language
  )
  if (known !== undefined) return yield* new MessageTemplateExists({ messageTemplateId: known.id })
})

const save = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, kept: ProviderTemplate, isComplete: boolean) {
  yield* (yield* Locks).exclusive("message_templates")
  const template = yield* insertProviderTemplate(chatAccountId, kept)
  if (!isComplete) yield* requestTemplateSync([chatAccountId])
  const { category, id, language, libraryName, name } = template
  yield* recordAudit(
    "message_template.created",
    { kind: "message_template", id },
    { after: { chatAccountId, name, language, category, libraryName } }
  )
  return template
}, transact)

/**
 * Creates a template from the provider's library, and submits it. It first reads the provider's template. After a partial attempt it continues there
 * and creates nothing twice.
 */
export const createLibraryMessageTemplate = useCase(
  {
    name: "messageTemplates.createFromLibrary",
    access: { permission: "message_templates.manage" },
    audit: "message_template.created",
    emits: ["message_template.created"]
  },
  Effect.fnUntraced(function* (input: NewLibraryMessageTemplate) {
    const { buttons = [], category, chatAccountId, language, libraryName, name } = input
    const { line, templates } = yield* openTemplates(chatAccountId, "/chatAccountId")
    yield* requireNewName(input)
    const existing = yield* findProviderTemplate(templates, line, input)
    if (existing !== null) return yield* save(chatAccountId, existing, true)
    const answer = yield* templates.submitFromLibrary(line, { name, language, category, libraryName, buttons })
    const kept = yield* findProviderTemplate(templates, line, input)
    // The provider can list a new template later. Then the next synchronization completes it.
    const created: ProviderTemplate = kept ?? {
      ...answer,
      name,
      language,
      components: {},
      rejectionReason: null,
      quality: "unknown",
      qualityAt: null,
      announcedCategory: null,
      timeToLive: null,
      libraryName
    }
    return yield* save(chatAccountId, { ...created, libraryName: created.libraryName ?? libraryName }, kept !== null)
  })
)
