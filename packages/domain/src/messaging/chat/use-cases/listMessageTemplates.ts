import { Effect } from "effect"
import { NotFound, paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { type MessageTemplateQuery, MessageTemplates } from "../MessageTemplates.ts"

/** Reads message templates, by name. */
export const listMessageTemplates = useCase(
  "messageTemplates.list",
  { access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* (query: MessageTemplateQuery, page: PageRequest) {
    const templates = yield* MessageTemplates
    const { chatAccountId, name, status } = query
    if (chatAccountId !== null) {
      const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
      if (account === undefined) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
    }
    return yield* paged(
      `message_templates/${JSON.stringify([chatAccountId, status, name])}`,
      page,
      (slice) => templates.list(query, slice),
      (template) => [template.name, template.language, template.id]
    )
  })
)
