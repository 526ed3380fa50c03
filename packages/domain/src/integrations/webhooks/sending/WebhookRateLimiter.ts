import { Clock, Context, Effect, Layer } from "effect"
import type { WebhookSubscriptionId } from "../WebhookSubscription.ts"

/** At most so many requests in any second go to one receiver. */
const maxPerSecond = 100

const windowMillis = 1_000

/** How many receivers are remembered before those are forgotten that nothing went to lately. */
const cleanupThreshold = 1_000

/** When the last requests to a receiver begin, the oldest first: some may be still to come. */
interface Window {
  readonly begun: Array<number>
}

const lastOf = ({ begun }: Window) => begun.at(-1) ?? Number.NEGATIVE_INFINITY

/** When one more request may begin, so that no second sees too many. */
const claim = ({ begun }: Window, now: number): number => {
  const before = begun.length < maxPerSecond ? Number.NEGATIVE_INFINITY : (begun.shift() ?? now)
  const at = Math.max(now, before + windowMillis, begun.at(-1) ?? now)
  begun.push(at)
  return at
}

/** How fast requests go to receivers, for as long as this process posts to them. */
export class WebhookRateLimiter extends Context.Service<
  WebhookRateLimiter,
  {
    /** Waits where a request more would be too many in a second. */
    readonly take: (id: WebhookSubscriptionId) => Effect.Effect<void>
  }
>()("@parley/domain/integrations/webhooks/WebhookRateLimiter") {
  static readonly layer = Layer.sync(WebhookRateLimiter, () => {
    const windows = new Map<WebhookSubscriptionId, Window>()

    const forgetIdle = (now: number) => {
      for (const [id, window] of windows) if (lastOf(window) + windowMillis <= now) windows.delete(id)
    }

    const windowOf = (id: WebhookSubscriptionId, now: number): Window => {
      const known = windows.get(id)
      if (known !== undefined) return known
      if (windows.size >= cleanupThreshold) forgetIdle(now)
      const window: Window = { begun: [] }
      windows.set(id, window)
      return window
    }

    return WebhookRateLimiter.of({
      take: Effect.fnUntraced(function* (id) {
        const now = yield* Clock.currentTimeMillis
        const at = claim(windowOf(id, now), now)
        if (at > now) yield* Effect.sleep(at - now)
      })
    })
  })
}
