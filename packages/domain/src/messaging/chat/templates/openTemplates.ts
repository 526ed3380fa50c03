import { Effect } from "effect"
import { NotFound } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { openProviderConnection } from "../ProviderConnection.ts"

/** Opens the templates of an account at its provider. `pointer`: place of the account id in the request, if it is not in the path. */
export const openTemplates = Effect.fnUntraced(function* (id: ChatAccountId, pointer?: string) {
  const account = yield* Effect.mapError(
    (yield* ChatAccounts).get(id),
    () => new NotFound({ resource: "chat account", ...(pointer !== undefined && { pointer }) })
  )
  return { templates: yield* channelFor(account, "templates"), line: yield* openProviderConnection(account) }
})
