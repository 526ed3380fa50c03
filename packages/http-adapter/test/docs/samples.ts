import { openApi } from "../../src/server/openapi/openApi.ts"

/** An example call as the site shows it. */
export interface Sample {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly curl: string
  readonly typescript: string
}

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
}

interface Reference {
  readonly operations: ReadonlyArray<Operation>
  readonly resolve: (schema: object) => object
}

type Write = (operation: Operation, resolve: Reference["resolve"]) => string

/** Types of the exports of the site's scripts, which are no TypeScript modules. */
interface Scripts {
  readonly "openapi.js": { readonly readReference: (document: object) => Reference }
  readonly "curl.js": { readonly curlOf: Write }
  readonly "typescript.js": { readonly typescriptOf: Write }
}

const script = <Name extends keyof Scripts>(name: Name): Promise<Scripts[Name]> =>
  import(new URL(`../../site/assets/${name}`, import.meta.url).href)

/** The examples of every operation, written by the site's own scripts. */
export const readSamples = async (): Promise<ReadonlyArray<Sample>> => {
  const [{ readReference }, { curlOf }, { typescriptOf }] = await Promise.all([
    script("openapi.js"),
    script("curl.js"),
    script("typescript.js")
  ])
  const { operations, resolve } = readReference(openApi("http://127.0.0.1:8787"))
  return operations.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    curl: curlOf(operation, resolve),
    typescript: typescriptOf(operation, resolve)
  }))
}
