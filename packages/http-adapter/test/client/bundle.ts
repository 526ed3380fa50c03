import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const effectClient = fileURLToPath(new URL("../../src/client/index.ts", import.meta.url))

/** The entry of the light client. */
export const lightClient = fileURLToPath(new URL("../../../client/src/index.ts", import.meta.url))

/** The client as one script for a browser, which leaves its exports in the global `Parley`. */
export interface Bundle {
  readonly code: string
  readonly modules: ReadonlyArray<string>
  /** External imports of the bundle. */
  readonly imports: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Bundles a client as one would for a page. */
export const bundleClient = async (entry = effectClient): Promise<Bundle> => {
  const warnings: Array<string> = []
  const build = await rolldown({
    input: entry,
    platform: "browser",
    onLog: (_level, log) => warnings.push(log.message)
  })
  try {
    const { output } = await build.generate({ format: "iife", name: "Parley" })
    const [chunk] = output
    return {
      code: chunk.code,
      modules: chunk.moduleIds,
      imports: [...chunk.imports, ...chunk.dynamicImports],
      warnings
    }
  } finally {
    await build.close()
  }
}
