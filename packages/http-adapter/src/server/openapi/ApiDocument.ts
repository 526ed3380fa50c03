import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Assets } from "@parley/domain/kernel"
import { Context, Effect, FileSystem, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import type { Document } from "../../api/describe.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { openApi, withBaseUrl } from "./openApi.ts"

/** Document of the bundle, compressed with brotli. It takes 30 ms to read, and about a second of CPU to generate. */
export const readBundled = (assets: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.orDie(files.readFile(fileURLToPath(new URL("openapi.json.br", assets))))
  )

const decode = (bytes: Uint8Array) =>
  Effect.map(
    Effect.promise(() => promisify(brotliDecompress)(bytes)),
    (text): Document => JSON.parse(text.toString("utf8"))
  )

/** The contract as an OpenAPI document. The first use reads or generates it, which shortens the start of a process. */
export class ApiDocument extends Context.Service<ApiDocument, Effect.Effect<Document>>()(
  "@parley/http-adapter/ApiDocument"
) {
  static readonly layer: Layer.Layer<ApiDocument, never, ServerConfig> = Layer.effect(
    ApiDocument,
    Effect.gen(function* () {
      const { baseUrl } = yield* ServerConfig
      const assets = yield* Assets
      return yield* Effect.cached(
        assets === null
          ? Effect.sync(() => openApi(baseUrl))
          : readBundled(assets).pipe(
              Effect.flatMap(decode),
              Effect.map((document) => withBaseUrl(document, baseUrl)),
              Effect.provide(NodeFileSystem.layer)
            )
      )
    })
  )
}
