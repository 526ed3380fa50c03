import { ChatAccountId, MessageTemplateId } from "@parley/domain/messaging"
import { HoldOut, NewBroadcast, BroadcastValue } from "@parley/domain/campaigns"
import { wholeNumber, WrongUsage } from "@parley/service/configuration"
import { Effect, FileSystem, Option, Schema, Stdio, Stream } from "effect"
import { CliError, Flag } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import { typedFlag } from "../../console/typed.ts"

const decode = Schema.decodeUnknownEffect(BroadcastValue)

const written = (text: string): unknown => {
  if (text.includes("{{") || text.includes("{%")) return { kind: "liquid", source: text }
  if (!text.startsWith("@")) return { kind: "constant", value: text }
  const [named = "", ...rest] = text.slice(1).split("|")
  const [field, ...key] = named.split(".")
  return {
    kind: "field",
    field,
    ...(key.length > 0 && { key: key.join(".") }),
    ...(rest.length > 0 && { fallback: rest.join("|") })
  }
}

/**
 * Parses the value of a variable: plain text, a contact field, a custom field or liquid. `@firstName|there` is a contact field with a default.
 * `@attribute.city` is a custom field.
 */
const valueOf = (text: string) => decode(written(text))

const readJson = (option: string) => (text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () =>
      new CliError.InvalidValue({
        option,
        value: text,
        expected: `Expected a filter as JSON, for example {"field":"tag","op":"any_of","value":["VIP"]}; {} matches all contacts`,
        kind: "flag"
      })
  })

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("json"),
    Flag.withDescription(description),
    Flag.mapEffect(readJson(name)),
    Flag.optional
  )

const readValue = Effect.fnUntraced(function* (text: string) {
  const at = text.indexOf("=")
  const wrong = (expected: string) =>
    new CliError.InvalidValue({ option: "value", value: text, expected, kind: "flag" })
  if (at < 1) return yield* wrong("Expected a variable of the template and its value, for example body.1=Hello")
  const value = yield* Effect.mapError(valueOf(text.slice(at + 1)), ({ message }) => wrong(message))
  return [text.slice(0, at), value] as const
})

/** Flags of a broadcast. The values can be in flags, in a JSON file, or in both. */
export const saidFlags = {
  name: typedFlag("name", NewBroadcast.fields.name).pipe(Flag.withDescription("Name"), Flag.optional),
  account: typedFlag("chat-account", ChatAccountId).pipe(
    Flag.withDescription("Id of the sending chat account"),
    Flag.optional
  ),
  template: typedFlag("template", MessageTemplateId).pipe(
    Flag.withDescription("Id of the message template"),
    Flag.optional
  ),
  values: Flag.String("value").pipe(
    Flag.withMetavar("variable=value"),
    Flag.withDescription(
      "Value of a template variable: a text, @firstName|there (a field with a fallback), @attribute.city, or Liquid; repeatable"
    ),
    Flag.mapEffect(readValue),
    Flag.atLeast(0)
  ),
  audience: filter("audience", "Audience as a contact filter; {} for all contacts"),
  exclude: filter("exclude", "Excluded contacts, as a filter"),
  holdOut: typedFlag("hold-out", Schema.FiniteFromString.pipe(Schema.decodeTo(HoldOut))).pipe(
    Flag.withMetavar("percent"),
    Flag.withDescription("Share of contacts without a message, for comparison, in percent: 0 to 50"),
    Flag.optional
  ),
  perMinute: typedFlag("per-minute", wholeNumber(1, 60_000)).pipe(
    Flag.withMetavar("integer"),
    Flag.withDescription("Maximum number of messages per minute (default: the rate of the account)"),
    Flag.optional
  ),
  file: Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar("file"),
    Flag.withDescription("JSON file with more fields of the API (- for the standard input). Flags take precedence"),
    Flag.optional
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = Effect.fnUntraced(function* (path: string) {
  if (path === "-") {
    const stdio = yield* Stdio.Stdio
    return yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  }
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.mapError(
    fs.readFileString(path),
    ({ reason }) => new Refused({ message: `The file ${path} cannot be read: ${reason._tag}.` })
  )
})

const readFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* textOf(path)
  const parsed = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new WrongUsage({ message: `${path} is no JSON.` })
  })
  return isObject(parsed)
    ? parsed
    : yield* new WrongUsage({ message: `Expected an object in ${path}, for example {"name":"Spring","audience":{}}.` })
})

/** Values of the flags of a command. */
interface Said {
  readonly name: Option.Option<string>
  readonly account: Option.Option<string>
  readonly template: Option.Option<string>
  readonly values: ReadonlyArray<readonly [variable: string, value: unknown]>
  readonly audience: Option.Option<unknown>
  readonly exclude: Option.Option<unknown>
  readonly holdOut: Option.Option<number>
  readonly perMinute: Option.Option<number>
  readonly file: Option.Option<string>
}

const given = <A>(name: string, value: Option.Option<A>) => (Option.isSome(value) ? { [name]: value.value } : {})

/** Reads the values of a broadcast. A flag takes precedence over the file. */
export const readSaid = Effect.fnUntraced(function* <A, I>(schema: Schema.ConstraintCodec<A, I>, flags: Said) {
  const inFile = Option.isSome(flags.file) ? yield* readFile(flags.file.value) : {}
  const values = Object.fromEntries(flags.values)
  const before = "variables" in inFile && isObject(inFile.variables) ? inFile.variables : {}
  const whole = {
    ...inFile,
    ...given("name", flags.name),
    ...given("chatAccountId", flags.account),
    ...given("templateId", flags.template),
    ...(flags.values.length > 0 && { variables: { ...before, ...values } }),
    ...given("audience", flags.audience),
    ...given("exclude", flags.exclude),
    ...given("holdOut", flags.holdOut),
    ...(Option.isSome(flags.perMinute) && { throttle: { perMinute: flags.perMinute.value } })
  }
  return yield* Effect.mapError(Schema.decodeUnknownEffect(schema)(whole), ({ message }) => new WrongUsage({ message }))
})
