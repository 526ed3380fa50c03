import { assert } from "@effect/vitest"
import type { RecordKind } from "@parley/domain/commerce"
import { Effect, FileSystem, Path, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { runTool } from "../../http-adapter/test/openapi/runTool.ts"
import { type ApiVersion, uninstallDocument } from "../src/stores/shopify/assumptions.ts"
import { personal } from "../src/stores/shopify/collections.ts"
import * as documents from "../src/stores/shopify/documents.ts"

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Runs a program of the tools with a question, and reads its answer. */
export const asked = Effect.fnUntraced(function* <A>(name: string, question: object, answer: Schema.Codec<A, unknown>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-stores-" })
  const file = (yield* Path.Path).join(folder, "question.json")
  yield* fs.writeFileString(file, JSON.stringify(question))
  const { exit, faults, output } = yield* runTool(folder, process.execPath, [program(name), file])
  assert.strictEqual(exit, 0, faults)
  return yield* Schema.decodeEffect(Schema.fromJsonString(answer))(output)
})

export const kinds: ReadonlyArray<RecordKind> = ["products", "customers", "orders", "carts"]
const nothing: ReadonlySet<string> = new Set()

/** Selections with all fields, and with the fields that need no approval. */
export const omissions = [nothing, personal]

/** Every call of the adapter. */
export const callsOf = (version: ApiVersion) => [
  ...kinds.flatMap((kind) =>
    omissions.flatMap((omitted) => [
      { name: `${kind} listed`, document: documents.listDocument(kind, omitted, version) },
      { name: `${kind} read`, document: documents.nodesDocument(kind, omitted, version) },
      {
        name: `${kind} exported`,
        document: documents.exportDocument(kind, omitted, version, "created_at:>='2026-01-01'")
      }
    ])
  ),
  ...kinds
    .filter((kind) => documents.asking[kind].inner !== null)
    .map((kind) => ({ name: `${kind} inside`, document: documents.innerDocument(kind) })),
  ...kinds
    .filter((kind) => documents.asking[kind].whole !== "")
    .map((kind) => ({ name: `${kind} whole`, document: documents.wholeDocument(kind) })),
  { name: "shop", document: documents.shopDocument },
  { name: "export", document: documents.runExportDocument },
  { name: "export status", document: documents.exportStatusDocument },
  { name: "subscriptions", document: documents.subscriptionsDocument },
  { name: "subscribe", document: documents.subscribeDocument },
  { name: "uninstall", document: uninstallDocument }
]
