import { PluginManifest } from "@parley/domain/integrations"
import { toValidationIssues, type ValidationIssue } from "@parley/domain/kernel"
import { Data, Effect, FileSystem, Schema } from "effect"
import { findPointerLines, lineOf } from "./manifestLines.ts"

/** Manifest with its text. */
export interface ManifestFile {
  readonly path: string
  readonly text: string
  readonly manifest: PluginManifest
}

/** The file is not a valid manifest. Each line has the place of an error. */
export class ManifestInvalid extends Data.TaggedError("ManifestInvalid")<{ readonly lines: ReadonlyArray<string> }> {
  override get message() {
    return this.lines.join("\n")
  }
}

/** Formats errors of a manifest with their lines and pointers. */
export const locate = (path: string, text: string, issues: ReadonlyArray<ValidationIssue>): ReadonlyArray<string> => {
  const lines = findPointerLines(text)
  return issues.map(({ message, pointer }) => {
    const place = `${path}:${lineOf(lines, pointer)}`
    return pointer === "" ? `${place}: ${message}` : `${place}: ${pointer}: ${message}`
  })
}

const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(PluginManifest), {
  errors: "all",
  onExcessProperty: "error"
})

const syntaxErrorLine = (text: string, error: unknown): number => {
  const found = /at position (\d+)/u.exec(error instanceof Error ? error.message : "")
  return text.slice(0, found === null ? text.length : Number(found[1])).split("\n").length
}

/** Reads the text of a manifest. */
export const readManifestText = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.mapError(
    fs.readFileString(path),
    ({ reason }) => new ManifestInvalid({ lines: [`${path}: The file cannot be read: ${reason._tag}`] })
  )
})

/** Parses the text of a manifest. */
export const parseManifest = Effect.fnUntraced(function* (path: string, text: string) {
  const written = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => new ManifestInvalid({ lines: [`${path}:${syntaxErrorLine(text, error)}: Expected valid JSON`] })
  })
  const manifest = yield* Effect.mapError(
    decode(written),
    ({ issue }) => new ManifestInvalid({ lines: locate(path, text, toValidationIssues(issue, written)) })
  )
  return { path, text, manifest } satisfies ManifestFile
})
