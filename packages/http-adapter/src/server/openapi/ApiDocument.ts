import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Assets } from "@parley/domain/kernel"
import { Context, Effect, FileSystem, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import type { Document } from "../../api/describe.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { bundledBaseUrl, openApi } from "./openApi.ts"

/** Text of the document of a bundle. It takes 10 ms of CPU to read, and about a second to generate. */
export const readBundled = (assets: string, baseUrl: string) =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((files) => files.readFile(fileURLToPath(new URL("openapi.json.br", assets)))),
    Effect.flatMap((bytes) => Effect.promise(() => promisify(brotliDecompress)(bytes))),
    Effect.map((text) => text.toString("utf8").replaceAll(bundledBaseUrl, () => JSON.stringify(baseUrl).slice(1, -1))),
    Effect.orDie
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
          : readBundled(assets, baseUrl).pipe(
              Effect.map((text): Document => JSON.parse(text)),
              Effect.provide(NodeFileSystem.layer)
            )
      )
    })
  )
}
