import { Schema } from "effect"
import { isStorable, StorableJsonObject, Uuid } from "../../../kernel/index.ts"
import { MultiLineText, SingleLineText } from "../../../platform/identity/index.ts"

/** One line of up to this many characters. */
export const line = (most: number) =>
  SingleLineText.check(Schema.isMaxCodePoints(most, { message: `Expected at most ${most} characters` }))

/** Text of up to this many characters. */
export const prose = (most: number) =>
  MultiLineText.check(Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }))

/** Id of up to this many characters. */
export const code = (most: number) =>
  Schema.String.check(isStorable, Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }))

const webAddress = /^https?:\/\/[^\s/?#]+\S*$/iu

/** Web address that the recipient opens. */
export const WebAddress = code(2_000).check(
  Schema.isPattern(webAddress, { message: "Expected an address that begins with https:// or http://" })
)

/** List of `least` to `most` entries. */
export const listOf = <S extends Schema.Top>(entry: S, least: number, most: number, noun: string) =>
  Schema.Array(entry).check(Schema.isBetweenLength(least, most, { message: `Expected ${least} to ${most} ${noun}` }))

const JsonObject = StorableJsonObject.check(
  Schema.makeFilter(
    (value: Readonly<Record<string, Schema.Json>>) =>
      JSON.stringify(value).length <= 16_384 || "Expected at most 16 KiB of JSON"
  )
)

/** Data that goes to the provider unchanged. */
export const ProviderData = JsonObject

const file = <const Type extends "image" | "video" | "document">(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), mediaId: Uuid })

export const TextHeader = Schema.Struct({ type: Schema.Literal("text"), text: line(60) })

/** Header that is an uploaded image. */
export const ImageHeader = file("image")

const documentHeader = Schema.Struct({
  ...file("document").fields,
  filename: Schema.optionalKey(line(200)).annotateKey({ description: "Shown name. Default: the name of the file." })
})

/** Header of a message: a text, or an uploaded file. */
export const InteractiveHeader = Schema.Union([TextHeader, ImageHeader, file("video"), documentHeader]).annotate({
  identifier: "InteractiveHeader"
})
export type InteractiveHeader = typeof InteractiveHeader.Type

/** Header of a carousel card. */
export const CardHeader = Schema.Union([ImageHeader, file("video")]).annotate({ identifier: "CardHeader" })

export const Footer = line(60)

/** Optional header and footer of any kind. */
export const frame = { header: Schema.optionalKey(InteractiveHeader), footer: Schema.optionalKey(Footer) }

/** Body of most interactive messages. */
export const Body = prose(1_024)

/** Label of a button. */
export const Label = line(20)
