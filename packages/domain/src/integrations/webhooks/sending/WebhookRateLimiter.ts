import { Clock, Context, Effect, Layer } from "effect"
import type { WebhookSubscriptionId } from "../WebhookSubscription.ts"

/** Maximum number of requests to one receiver in any second. */
const maxPerSecond = 100

const windowMillis = 1_000

/** Number of remembered receivers that triggers the deletion of idle ones. */
const cleanupThreshold = 1_000

/** Start times of the last requests to a receiver, oldest first. Some can be in the future. */
interface Window {
  readonly begun: Array<number>
}

const lastOf = ({ begun }: Window) => begun.at(-1) ?? Number.NEGATIVE_INFINITY

/** Reserves the start time of the next request within the rate limit. */
const claim = ({ begun }: Window, now: number): number => {
  const before = begun.length < maxPerSecond ? Number.NEGATIVE_INFINITY : (begun.shift() ?? now)
  const at = Math.max(now, before + windowMillis, begun.at(-1) ?? now)
  begun.push(at)
  return at
}

/** Rate limits of receivers, kept in this process while it sends to them. */
export class WebhookRateLimiter extends Context.Service<
  WebhookRateLimiter,
  {
    /** Waits until the rate limit permits a request. */
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
