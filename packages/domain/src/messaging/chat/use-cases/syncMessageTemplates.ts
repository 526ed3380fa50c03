import { Effect, Schema } from "effect"
import { NotFound, useCase } from "../../../kernel/index.ts"
import { fetchTemplates, storeTemplates } from "../storeTemplates.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { ChatAccountId } from "../Ids.ts"

/** What a synchronization has come to. `missing` are those that the provider does not keep any more, or not in a form that can be filled here: they cannot be sent. */
export const TemplateSync = Schema.Struct({
  created: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  missing: Schema.Int
}).annotate({ identifier: "TemplateSync" })
export type TemplateSync = typeof TemplateSync.Type

/** Brings in the message templates as the provider keeps them. Drafts that it does not know stay as they are. */
export const syncMessageTemplates = useCase(
  "messageTemplates.sync",
  { access: { permission: "message_templates.manage" } },
  Effect.fnUntraced(function* (chatAccountId: ChatAccountId) {
    const accounts = yield* ChatAccounts
    const sync = Effect.gen(function* () {
      const account = yield* accounts.get(chatAccountId)
      return yield* storeTemplates(account, yield* fetchTemplates(account))
    })
    const counts: TemplateSync = yield* sync.pipe(
      Effect.catchTag("NotFound", () =>
        Effect.fail(new NotFound({ resource: "chat account", pointer: "/chatAccountId" }))
      )
    )
    return counts
  })
)
