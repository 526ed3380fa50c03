import { Context, DateTime, Duration, Effect, Layer, type Redacted } from "effect"
import { Vault } from "../../kernel/index.ts"

const keptFor = Duration.toMillis("30 seconds")
const mostKept = 2_000

/** Secrets that were opened a moment ago, by what they were sealed as: a provider sends thousands of deliveries a second. */
export class OpenedSecrets extends Context.Service<
  OpenedSecrets,
  { readonly open: (context: string, sealed: string) => Effect.Effect<Redacted.Redacted> }
>()("@parley/domain/messaging/chat/OpenedSecrets") {
  /** Remembers them for half a minute, on this process. */
  static readonly layer = Layer.effect(
    OpenedSecrets,
    Effect.gen(function* () {
      const vault = yield* Vault
      const opened = new Map<string, { readonly secret: Redacted.Redacted; readonly until: number }>()
      return OpenedSecrets.of({
        open: Effect.fnUntraced(function* (context, sealed) {
          const key = `${context} ${sealed}`
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          const kept = opened.get(key)
          if (kept !== undefined && kept.until > now && kept.until <= now + keptFor) return kept.secret
          const secret = yield* vault.open(context, sealed)
          if (opened.size >= mostKept) opened.clear()
          opened.set(key, { secret, until: now + keptFor })
          return secret
        })
      })
    })
  )
}
