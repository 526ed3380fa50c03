import { assert } from "@effect/vitest"
import { Effect, FileSystem, Path, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { runTool } from "../../http-adapter/test/openapi/runTool.ts"

/** Runs a program of this folder with a question and decodes its answer. */
export const runProgram = Effect.fnUntraced(function* <A>(
  name: string,
  question: object,
  answer: Schema.Codec<A, unknown>
) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-whatsapp-" })
  const file = (yield* Path.Path).join(folder, "question.json")
  yield* fs.writeFileString(file, JSON.stringify(question))
  const program = fileURLToPath(new URL(name, import.meta.url))
  const { exit, faults, output } = yield* runTool(folder, process.execPath, [program, file])
  assert.strictEqual(exit, 0, faults)
  return yield* Schema.decodeEffect(Schema.fromJsonString(answer))(output)
})
