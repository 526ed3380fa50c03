import { sendDueEmails } from "@parley/domain/platform"
import { SentMails } from "@parley/testkit"
import { Effect, Redacted } from "effect"

/** Sends what waits, and gives the tokens of the links that went to this mailbox: the latest last. */
export const tokensMailedTo = Effect.fnUntraced(function* (email: string) {
  yield* sendDueEmails
  const mails = yield* (yield* SentMails).to(email)
  return mails.flatMap(({ text }) => {
    const [, token] = /#token=([A-Za-z0-9_-]{43})\n/u.exec(text) ?? []
    return token === undefined ? [] : [Redacted.make(token)]
  })
})

/** The token of the latest link. */
export const tokenMailedTo = (email: string) =>
  Effect.map(tokensMailedTo(email), (tokens) => tokens.at(-1) ?? Redacted.make("no mail came"))
