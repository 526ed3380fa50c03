import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { IsKnownCaller, LoginOverloaded, PasswordHasher } from "@parley/domain/platform"
import { Deferred, Effect, Fiber, Layer, Redacted, Result, Schema } from "effect"
import * as Kdf from "effect/crypto/Kdf"
import { argon2Sync } from "node:crypto"
import { type HashingOptions, layerPasswordHasher, layerPasswordHasherNoDeps } from "@parley/provider-adapters/security"
import { cheap } from "./fixtures.ts"

const hasherWith = (options?: HashingOptions) => Effect.provide(PasswordHasher, layerPasswordHasher(options))

const passwordOf = (text: string) => Redacted.make(text)

const costsOf = (hash: string) => {
  const [, memory, passes, parallelism] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? []
  return { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
}

/** Settings of equal strength by OWASP: each amount of memory needs at least this number of passes. */
const meetsOwasp = ({ memory, parallelism, passes }: ReturnType<typeof costsOf>) =>
  parallelism >= 1 &&
  [
    [47_104, 1],
    [19_456, 2],
    [12_288, 3],
    [9_216, 4],
    [7_168, 5]
  ].some(([leastMemory = 0, leastPasses = 0]) => memory >= leastMemory && passes >= leastPasses)

interface Derivation {
  readonly algorithm: Kdf.Algorithm
  readonly secret: string
  readonly length: number
}

/** The argon2id of Node, with a note of every computation. */
const watched = () => {
  const derivations: Array<Derivation> = []
  const state = { running: 0, peak: 0 }
  const watching = Layer.effect(
    Kdf.Kdf,
    Effect.map(Kdf.Kdf, (real) =>
      Kdf.Kdf.of({
        derive: (algorithm, secret, options) =>
          Effect.suspend(() => {
            derivations.push({ algorithm, secret: Buffer.from(secret).toString(), length: options.length })
            state.running += 1
            state.peak = Math.max(state.peak, state.running)
            return Effect.ensuring(
              real.derive(algorithm, secret, options),
              Effect.sync(() => {
                state.running -= 1
              })
            )
          })
      })
    )
  ).pipe(Layer.provide(NodeCrypto.layerKdf))
  return { derivations, state, layer: watching }
}

const watchedHasher = (kdf: ReturnType<typeof watched>, options?: HashingOptions) =>
  Effect.provide(PasswordHasher, layerPasswordHasherNoDeps(options).pipe(Layer.provide(kdf.layer)))

describe("PasswordHasher", () => {
  it.effect("stores a PHC string whose cost is at least OWASP's minimum", () =>
    Effect.gen(function* () {
      const hash = yield* (yield* hasherWith()).rehash(passwordOf("correct horse"))
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      assert.isTrue(meetsOwasp(costsOf(hash)))
      assert.isFalse(meetsOwasp(cheap))
    })
  )

  it.effect("stores what any other argon2id makes of the same salt and cost", () =>
    Effect.gen(function* () {
      const hash = yield* (yield* hasherWith()).rehash(passwordOf("correct horse"))
      const [, , , , salt = "", tag = ""] = hash.split("$")
      const expected = argon2Sync("argon2id", {
        message: "correct horse",
        nonce: Buffer.from(salt, "base64"),
        memory: 19_456,
        passes: 2,
        parallelism: 1,
        tagLength: 32
      })
      assert.strictEqual(tag, expected.toString("base64").replaceAll("=", ""))
    })
  )

  it.effect("fits the password that was hashed and no other, and salts every hash", () =>
    Effect.gen(function* () {
      const hasher = yield* hasherWith()
      const password = passwordOf("correct horse")
      const one = yield* hasher.rehash(password)
      const other = yield* hasher.rehash(password)
      assert.notStrictEqual(one, other)
      assert.deepStrictEqual(yield* hasher.verify(password, one), { fits: true, outdated: false })
      assert.deepStrictEqual(yield* hasher.verify(password, other), { fits: true, outdated: false })
      for (const wrong of ["correct hors", "correct horse ", "Correct horse", "", "correct horse\u0000"]) {
        assert.deepStrictEqual(yield* hasher.verify(passwordOf(wrong), one), { fits: false, outdated: false })
      }
    })
  )

  it.effect("reads the hashes of other libraries", () =>
    Effect.gen(function* () {
      const hasher = yield* hasherWith()
      const theirs = "$argon2id$v=19$m=64,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$"
      const tag = argon2Sync("argon2id", {
        message: "password",
        nonce: "somesaltsomesalt",
        memory: 64,
        passes: 3,
        parallelism: 2,
        tagLength: 24
      })
      const verdict = yield* hasher.verify(passwordOf("password"), theirs + tag.toString("base64"))
      assert.deepStrictEqual(verdict, { fits: true, outdated: true })
    })
  )

  it.effect.each([
    ["more memory", { memory: 128, passes: 1, parallelism: 1 }],
    ["less memory", { memory: 32, passes: 1, parallelism: 1 }],
    ["more passes", { memory: 64, passes: 2, parallelism: 1 }],
    ["more lanes", { memory: 64, passes: 1, parallelism: 2 }]
  ] as const)("reports a hash made with %s as outdated with the right password", ([, cost]) =>
    Effect.gen(function* () {
      const hash = yield* (yield* hasherWith({ cost })).rehash(passwordOf("correct horse"))
      const hasher = yield* hasherWith({ cost: cheap })
      assert.deepStrictEqual(costsOf(hash), cost)
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("correct horse"), hash), { fits: true, outdated: true })
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("wrong horse"), hash), { fits: false, outdated: false })
      const rehashed = yield* hasher.rehash(passwordOf("correct horse"))
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("correct horse"), rehashed), {
        fits: true,
        outdated: false
      })
    })
  )

  it.effect("takes a password that was composed differently for the same one", () =>
    Effect.gen(function* () {
      const hasher = yield* hasherWith({ cost: cheap })
      const composed = yield* hasher.rehash(passwordOf("\u00c4pfel\u1e69"))
      assert.isTrue((yield* hasher.verify(passwordOf("A\u0308pfels\u0323\u0307"), composed)).fits)
      assert.isTrue((yield* hasher.verify(passwordOf("A\u0308pfels\u0307\u0323"), composed)).fits)
      assert.isFalse((yield* hasher.verify(passwordOf("Apfels"), composed)).fits)
      const ligature = yield* hasher.rehash(passwordOf("o\ufb03ce"))
      assert.isFalse((yield* hasher.verify(passwordOf("office"), ligature)).fits)
    })
  )

  it.effect.prop(
    "accepts every password, short, long, with NULs or emoji, and none that differs in its last character",
    { password: Schema.String, last: Schema.Literals(["a", "\u0000", "🥐", " "]) },
    ({ last, password }) =>
      Effect.gen(function* () {
        const hasher = yield* hasherWith({ cost: cheap })
        const hash = yield* hasher.rehash(passwordOf(password + last))
        assert.isTrue((yield* hasher.verify(passwordOf(password + last), hash)).fits)
        assert.isFalse((yield* hasher.verify(passwordOf(password), hash)).fits)
        assert.isFalse((yield* hasher.verify(passwordOf(`${password}b`), hash)).fits)
      })
  )

  it.effect.each([8, 72, 73, 128, 255, 256, 1024])("uses all of a password of %i characters", (length) =>
    Effect.gen(function* () {
      const hasher = yield* hasherWith({ cost: cheap })
      const hash = yield* hasher.rehash(passwordOf(`${"x".repeat(length - 1)}y`))
      assert.isTrue((yield* hasher.verify(passwordOf(`${"x".repeat(length - 1)}y`), hash)).fits)
      assert.isFalse((yield* hasher.verify(passwordOf("x".repeat(length)), hash)).fits)
      assert.isFalse((yield* hasher.verify(passwordOf("x".repeat(length - 1)), hash)).fits)
    })
  )

  it.effect.each([
    ["nothing", ""],
    ["a plain password", "correct horse"],
    ["bcrypt", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"],
    ["argon2i", "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["argon2d", "$argon2d$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["another version", "$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["no version", "$argon2id$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["no salt", "$argon2id$v=19$m=64,t=1,p=1$$gWz9dUaWXsnuRSJsh6Kbug"],
    ["no tag", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$"],
    ["a short tag", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUY"],
    ["no passes", "$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["negative memory", "$argon2id$v=19$m=-64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["too little memory for its lanes", "$argon2id$v=19$m=8,t=1,p=2$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["4 GiB of memory", "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["400 MiB of memory", "$argon2id$v=19$m=409600,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["99 passes", "$argon2id$v=19$m=64,t=99,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["64 lanes", "$argon2id$v=19$m=6400,t=1,p=64$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug"],
    ["a line break at its end", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$gWz9dUaWXsnuRSJsh6Kbug\n"],
    ["a megabyte", `$argon2id$v=19$m=64,t=1,p=1$${"A".repeat(1_048_576)}$gWz9dUaWXsnuRSJsh6Kbug`]
  ] as const)("never fits a stored text that is %s, and takes as long to say so", ([, stored]) =>
    Effect.gen(function* () {
      const kdf = watched()
      const hasher = yield* watchedHasher(kdf, { cost: cheap })
      const verdict = yield* hasher.verify(passwordOf("correct horse"), stored)
      assert.deepStrictEqual(verdict, { fits: false, outdated: false })
      assert.deepStrictEqual(
        kdf.derivations.map(({ algorithm }) => algorithm),
        [Kdf.argon2id(cheap)]
      )
    })
  )

  it.effect("computes one argon2id of the same cost for an unknown user, a wrong password and the right one", () =>
    Effect.gen(function* () {
      const kdf = watched()
      const hasher = yield* watchedHasher(kdf)
      const hash = yield* hasher.rehash(passwordOf("correct horse"))
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("wrong"), null), { fits: false, outdated: false })
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("wrong"), hash), { fits: false, outdated: false })
      assert.deepStrictEqual(yield* hasher.verify(passwordOf("correct horse"), hash), { fits: true, outdated: false })
      const algorithm = Kdf.argon2id({ memory: 19_456, passes: 2, parallelism: 1 })
      assert.deepStrictEqual(kdf.derivations, [
        { algorithm, secret: "correct horse", length: 32 },
        { algorithm, secret: "wrong", length: 32 },
        { algorithm, secret: "wrong", length: 32 },
        { algorithm, secret: "correct horse", length: 32 }
      ])
    })
  )

  it.effect("hashes two at a time, queues 32, and refuses the rest directly", () =>
    Effect.gen(function* () {
      const kdf = watched()
      const hasher = yield* watchedHasher(kdf, { cost: cheap })
      const results = yield* Effect.forEach(
        Array.from({ length: 200 }),
        () => Effect.result(hasher.verify(passwordOf("x"), null)),
        { concurrency: "unbounded" }
      )
      const refused = results.filter(Result.isFailure)
      assert.strictEqual(kdf.state.peak, 2)
      assert.strictEqual(kdf.derivations.length, 34)
      assert.strictEqual(refused.length, 166)
      assert.isTrue(refused.every(({ failure }) => failure instanceof LoginOverloaded && failure.retryAfterSeconds > 0))
      assert.isTrue(Result.isSuccess(yield* Effect.result(hasher.verify(passwordOf("x"), null))))
    })
  )

  it.effect("isolates known callers from floods of strangers, and the reverse", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const held = Layer.succeed(Kdf.Kdf, {
        derive: (_, __, { length }) => Effect.as(Deferred.await(gate), new Uint8Array(length))
      })
      const hasher = yield* Effect.provide(PasswordHasher, layerPasswordHasherNoDeps().pipe(Layer.provide(held)))
      const strangers = Effect.result(hasher.verify(passwordOf("x"), null))
      const known = Effect.provideService(strangers, IsKnownCaller, true)
      const crowd = yield* Effect.replicateEffect(Effect.forkChild(strangers, { startImmediately: true }), 34)
      assert.isTrue(Result.isFailure(yield* strangers))
      const regulars = yield* Effect.replicateEffect(Effect.forkChild(known, { startImmediately: true }), 33)
      assert.isTrue(Result.isFailure(yield* known))
      yield* Deferred.succeed(gate, undefined)
      const heard = yield* Effect.forEach([...crowd, ...regulars], Fiber.join)
      assert.isTrue(heard.every(Result.isSuccess))
    })
  )

  it.effect("passes the place of an interrupted caller to the next", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const held = Layer.succeed(Kdf.Kdf, {
        derive: (_, __, { length }) => Effect.as(Deferred.await(gate), new Uint8Array(length))
      })
      const hasher = yield* Effect.provide(
        PasswordHasher,
        layerPasswordHasherNoDeps({ atOnce: 1, waiting: 1 }).pipe(Layer.provide(held))
      )
      const attempt = Effect.result(hasher.verify(passwordOf("x"), null))
      const running = yield* Effect.forkChild(attempt, { startImmediately: true })
      const waiting = yield* Effect.forkChild(attempt, { startImmediately: true })
      assert.isTrue(Result.isFailure(yield* attempt))
      yield* Fiber.interrupt(waiting)
      const next = yield* Effect.forkChild(attempt, { startImmediately: true })
      assert.isTrue(Result.isFailure(yield* attempt))
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue(Result.isSuccess(yield* Fiber.join(running)))
      assert.isTrue(Result.isSuccess(yield* Fiber.join(next)))
    })
  )

  it.effect(
    "needs the memory of two hashes, however many wait",
    () =>
      Effect.gen(function* () {
        const cost = { memory: 65_536, passes: 1, parallelism: 1 }
        const mebibytes = () => process.memoryUsage.rss() / 1_048_576
        const sampled: Array<number> = []
        const sampling = Layer.effect(
          Kdf.Kdf,
          Effect.map(Kdf.Kdf, (real) =>
            Kdf.Kdf.of({
              derive: (algorithm, secret, options) =>
                Effect.tap(real.derive(algorithm, secret, options), () => Effect.sync(() => sampled.push(mebibytes())))
            })
          )
        ).pipe(Layer.provide(NodeCrypto.layerKdf))
        const hasher = yield* Effect.provide(
          PasswordHasher,
          layerPasswordHasherNoDeps({ cost }).pipe(Layer.provide(sampling))
        )
        yield* hasher.verify(passwordOf("x"), null)
        const before = mebibytes()
        yield* Effect.forEach(Array.from({ length: 14 }), () => hasher.verify(passwordOf("x"), null), {
          concurrency: "unbounded"
        })
        assert.strictEqual(sampled.length, 15)
        assert.isBelow(Math.max(...sampled) - before, 2 * 64 + 32)
      }),
    30_000
  )
})
