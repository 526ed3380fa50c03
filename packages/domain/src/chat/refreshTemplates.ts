import { DateTime, Effect } from "effect"
import { type Actor, CurrentActor, CurrentOrganization, Ids } from "../kernel/index.ts"
import { bringInTemplates } from "./bringIn.ts"
import type { ChannelFailure } from "./ChannelErrors.ts"
import { ChatAccounts, type TemplateFetch, TemplateFetches } from "./ChatAccounts.ts"
import type { ChatAccountId } from "./Ids.ts"

const fetcher: Actor = { kind: "system", name: "chat" }

/** What is told or met within this time is one reason to ask the provider. */
const gathering = { seconds: 5 }

/** An account that could not be asked, or whose fetcher died, is asked again after this time. */
const againAfter = { minutes: 1 }

/** Has the templates of these accounts fetched again soon: something about them is not as it was thought to be. */
export const wantTemplates = Effect.fnUntraced(function* (ids: ReadonlyArray<ChatAccountId>) {
  if (ids.length === 0) return
  yield* (yield* ChatAccounts).wantTemplates(ids, DateTime.add(yield* DateTime.now, gathering))
})

const isWorthAnotherTry = (failure: ChannelFailure): boolean =>
  failure._tag === "ChannelUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** Asks the provider, unless the account cannot; says whether that is settled. */
const fetch = Effect.fnUntraced(
  function* ({ chatAccountId }: TemplateFetch) {
    const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
    if (account !== undefined && account.status !== "disconnected") yield* bringInTemplates(account)
    return true
  },
  Effect.catchTags({
    ChannelRefused: (failure) => Effect.succeed(!isWorthAnotherTry(failure)),
    // It was removed: once it is connected again, they are wanted again.
    NotFound: () => Effect.succeed(true),
    UnsupportedByChannel: () => Effect.succeed(true),
    ChannelUnreachable: (failure) => Effect.succeed(!isWorthAnotherTry(failure))
  })
)

const refreshNext = Effect.gen(function* () {
  const fetches = yield* TemplateFetches
  const now = yield* DateTime.now
  const claimed = yield* fetches.claim({
    fetcher: yield* (yield* Ids).next,
    now,
    until: DateTime.add(now, againAfter)
  })
  if (claimed === null) return false
  const isSettled = yield* fetch(claimed).pipe(
    Effect.provideService(CurrentOrganization, { id: claimed.organizationId }),
    Effect.provideService(CurrentActor, fetcher)
  )
  if (isSettled) yield* fetches.settle(claimed)
  return true
})

/** Fetches the templates of every account that wants it, one after the other, until none does. */
export const refreshTemplates = Effect.repeat(refreshNext, { while: (worked) => worked }).pipe(Effect.asVoid)
