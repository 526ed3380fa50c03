import type { ChannelRefused, MessageSender, OutgoingMessage, ProviderConnection } from "@parley/domain/messaging"
import { Cache, Clock, Duration, Effect, Exit } from "effect"
import { HttpClientRequest } from "effect/http"
import { textAt } from "../../json.ts"
import { acceptedIn } from "./accepted.ts"
import { onboardedForMarketing } from "./assumptions.ts"
import { authorized, type Graph } from "./Graph.ts"
import { marketingOut, payerOf } from "./outgoing.ts"

/** Whether a message can go over the provider's interface for marketing. */
export const isMarketing = ({ content }: OutgoingMessage): boolean =>
  content.kind === "template" && content.template.isMarketing === true

const syncing = 134_101
const notOnboarded = 134_102
const marketingOnly = [131_055, 134_100] as const
/** The other interface takes no marketing of this account. */
const requiresMarketing = 131_063

/** Refusals of the interface for marketing after which the other interface can still take the message. */
const fallbacks: ReadonlySet<number> = new Set([syncing, notOnboarded, ...marketingOnly])

/** A new or idle template is synchronized for ten minutes. */
const syncMillis = Duration.toMillis("10 minutes")

const statusTimeout = Duration.seconds(5)
const maxAccounts = 10_000
const maxSyncing = 10_000

const templateKey = ({ businessId }: ProviderConnection, { content }: OutgoingMessage) =>
  content.kind === "template" ? JSON.stringify([businessId, content.template.name, content.template.language]) : ""

/** Reads once an hour whether a business account is onboarded for marketing messages. A failed call counts as no for a minute. */
const makeStatus = (graph: Graph["Service"]) =>
  Effect.gen(function* () {
    const lines = new Map<string, ProviderConnection>()
    const ask = (line: ProviderConnection) =>
      graph.ask(
        HttpClientRequest.get(`${graph.settings.root}/${encodeURIComponent(line.businessId)}`, {
          urlParams: { fields: "marketing_messages_onboarding_status" }
        }).pipe(authorized(line)),
        [line.accessToken],
        (body) => ({ isOnboarded: textAt(body, "marketing_messages_onboarding_status") === onboardedForMarketing }),
        statusTimeout
      )
    const cache = yield* Cache.makeWith(
      (businessId: string) => {
        const line = lines.get(businessId)
        lines.delete(businessId)
        return line === undefined ? Effect.succeed({ isOnboarded: false }) : ask(line)
      },
      {
        capacity: maxAccounts,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : "1 minute")
      }
    )
    return {
      isOnboarded: (line: ProviderConnection) =>
        Effect.suspend(() => {
          lines.set(line.businessId, line)
          return Effect.match(Cache.get(cache, line.businessId), {
            onSuccess: ({ isOnboarded }) => isOnboarded,
            onFailure: () => false
          })
        }),
      set: (line: ProviderConnection, isOnboarded: boolean) => Cache.set(cache, line.businessId, { isOnboarded })
    }
  })

/** Sends marketing templates over the provider's interface for marketing, where the business account is onboarded. */
export const makeMarketing = Effect.fnUntraced(function* (graph: Graph["Service"]) {
  const status = yield* makeStatus(graph)
  const syncedAt = new Map<string, number>()

  const sendMarketing: MessageSender["send"] = (line, message) =>
    graph.act(
      HttpClientRequest.post(`${graph.settings.root}/${encodeURIComponent(line.phoneId)}/marketing_messages`).pipe(
        authorized(line),
        HttpClientRequest.bodyJsonUnsafe({ ...marketingOut(message, graph.settings.marketing), ...payerOf(line) })
      ),
      [line.accessToken],
      acceptedIn
    )

  const isSyncing = (key: string, now: number) => {
    const until = syncedAt.get(key)
    if (until !== undefined && until <= now) syncedAt.delete(key)
    return until !== undefined && until > now
  }

  const remember = Effect.fnUntraced(function* (line: ProviderConnection, key: string, { code }: ChannelRefused) {
    if (code === notOnboarded) yield* status.set(line, false)
    if (code !== syncing) return
    if (syncedAt.size >= maxSyncing) syncedAt.clear()
    syncedAt.set(key, (yield* Clock.currentTimeMillis) + syncMillis)
  })

  /** The account may have been onboarded since the last look. */
  const sendElsewhere = (line: ProviderConnection, message: OutgoingMessage, refused: ChannelRefused) =>
    sendMarketing(line, message).pipe(
      Effect.tap(() => status.set(line, true)),
      Effect.catchIf(
        (error) => error._tag === "ChannelRefused" && fallbacks.has(error.code),
        () => Effect.fail(refused)
      )
    )

  return Effect.fnUntraced(function* (line: ProviderConnection, message: OutgoingMessage, send: MessageSender["send"]) {
    const key = templateKey(line, message)
    const isReady = !isSyncing(key, yield* Clock.currentTimeMillis) && (yield* status.isOnboarded(line))
    if (isReady) {
      return yield* Effect.catchTag(sendMarketing(line, message), "ChannelRefused", (refused) =>
        fallbacks.has(refused.code)
          ? Effect.andThen(remember(line, key, refused), send(line, message))
          : Effect.fail(refused)
      )
    }
    return yield* Effect.catchTag(send(line, message), "ChannelRefused", (refused) =>
      refused.code === requiresMarketing ? sendElsewhere(line, message, refused) : Effect.fail(refused)
    )
  })
})
