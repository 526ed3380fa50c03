import { Effect } from "effect"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import { NotFound } from "../../kernel/index.ts"
import { type Scope, wholeOrganization } from "../Count.ts"

/** Of what is read: of a chat account, removed or not, or of the whole organization. */
export const accountScope = Effect.fnUntraced(function* (chatAccountId: ChatAccountId | undefined) {
  const whole: Scope = wholeOrganization
  if (chatAccountId === undefined) return whole
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  return chatAccountId as Scope
})
