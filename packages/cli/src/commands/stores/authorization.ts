import type { StoreConnectionId } from "@parley/domain/commerce"
import { WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Duration, Effect, Redacted, Stdio, Stream } from "effect"
import { Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { createHash, randomBytes } from "node:crypto"
import { Refused } from "../../console/Failure.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { listenForReturn, type Returned } from "./loopback.ts"
import { at } from "./views.ts"

/** How the one-time code reaches the command. */
export const finishFlag = Flag.Literals("finish", ["browser", "paste", "later"]).pipe(
  Flag.withDescription(
    "Return of the code from the browser: to this command on the same machine, by pasting, or later with stores complete"
  ),
  Flag.withDefault("browser" as const)
)
export type Finish = "browser" | "paste" | "later"

const verifierBytes = 32

/** A new verifier and its challenge: PKCE with S256 (RFC 7636). */
export const newVerifier = Effect.sync(() => {
  const verifier = randomBytes(verifierBytes).toString("base64url")
  return {
    codeVerifier: Redacted.make(verifier),
    codeChallenge: createHash("sha256").update(verifier).digest("base64url")
  }
})

/** Lines of the standard input. */
const inputLines = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  return text.split(/\r?\n/u).map((line) => line.trim())
})

/** Secrets of a journey, in the order of the prompts and of the lines of the standard input. */
export const browserCode = "Code from the browser"
export const printedVerifier = "Code verifier from stores connect or authorize"

const listed = (names: ReadonlyArray<string>) =>
  names.map((name, index) => `line ${index + 1}: ${name.toLowerCase()}`).join("; ")

/**
 * Secrets are never flags, because a shell stores flags in its history. A prompt asks for each secret. Without a terminal, each one is a line of the
 * standard input.
 */
export const readSecrets = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (canPrompt) return yield* Effect.forEach(names, (message) => Prompt.run(Prompt.Password({ message })))
  const lines = yield* inputLines
  const secrets = names.map((_, place) => lines[place] ?? "")
  if (secrets.includes("")) {
    return yield* new WrongUsage({ message: `The standard input is incomplete. Expected ${listed(names)}.` })
  }
  return secrets.map((secret) => Redacted.make(secret))
})

const codeOfReturned = ({ code, result }: Returned) =>
  code === null
    ? Effect.fail(new Refused({ message: `The shop was not connected: ${result ?? "the browser returned no code"}.` }))
    : Effect.succeed(Redacted.make(code))

const untilReturned = Effect.fnUntraced(function* (returned: Effect.Effect<Returned>, expiresAt: DateTime.Utc) {
  // The code is valid for ten minutes from the callback. Accept the answer of the browser until the journey expires.
  const left = DateTime.distance(yield* DateTime.now, expiresAt)
  return yield* returned.pipe(
    Effect.timeoutOrElse({
      duration: Duration.max(left, Duration.zero),
      orElse: () =>
        Effect.fail(new Refused({ message: "The browser did not return within ten minutes. Run the command again." }))
    }),
    Effect.flatMap(codeOfReturned)
  )
})

interface Started {
  readonly id: StoreConnectionId
  readonly authorizeUrl: string
  readonly expiresAt: DateTime.Utc
}

const sayWhere = ({ authorizeUrl, expiresAt }: Started) =>
  Console.error(`Agree in the shop by ${at(expiresAt)}: ${authorizeUrl}`)

/**
 * Runs a journey to a shop. `start` sends the challenge. Returns the connected store. Returns null for a journey that finishes later, and the command
 * then prints the verifier.
 */
export const runJourney = Effect.fnUntraced(function* <E>(
  { name, storeConnections }: Tenant,
  finish: Finish,
  start: (journey: { readonly codeChallenge: string; readonly returnTo?: string }) => Effect.Effect<Started, E>
) {
  const { codeChallenge, codeVerifier } = yield* newVerifier
  const complete = (id: StoreConnectionId, code: Redacted.Redacted) =>
    storeConnections.complete({ params: { id }, payload: { code, codeVerifier } })
  if (finish === "browser") {
    const { returned, returnTo } = yield* listenForReturn
    const started = yield* start({ codeChallenge, returnTo })
    yield* sayWhere(started)
    yield* Console.error("Waiting for the browser on this machine. On another machine: --finish paste.")
    const store = yield* complete(started.id, yield* untilReturned(returned, started.expiresAt))
    return { started, store, codeVerifier }
  }
  const started = yield* start({ codeChallenge })
  yield* sayWhere(started)
  if (finish === "paste") {
    const [code] = yield* readSecrets([browserCode])
    const store = code === undefined ? null : yield* complete(started.id, code)
    return { started, store, codeVerifier }
  }
  yield* Console.error(`Then: parley stores complete ${started.id} --org ${name}`)
  yield* Console.error("It reads the code from the browser, then the code verifier.")
  return { started, store: null, codeVerifier }
}, Effect.scoped)
