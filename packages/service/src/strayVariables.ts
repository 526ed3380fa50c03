import { ConfigProvider, Effect } from "effect"
import { postVariable } from "./processes/Post.ts"
import { catalogue } from "./settings.ts"

// Variables that the tests and the checks of the project read; the command line does not.
const known: ReadonlySet<string> = new Set([
  ...Object.values(catalogue).map(({ variable }) => variable),
  postVariable,
  "PARLEY_TEST_DATABASE_URL",
  "PARLEY_TEST_POSTGRES"
])

const namesUnder = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> =>
  Effect.gen(function* () {
    const node = yield* provider.load(path)
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    const below = yield* Effect.forEach(node.keys, (key) => namesUnder(provider, [...path, key]))
    return [...own, ...below.flat()]
  })

/** Variables that are set and look like ours, but are none: a slip of the pen that would pass in silence. */
export const strayVariables = Effect.gen(function* () {
  const names = yield* Effect.orDie(namesUnder(yield* ConfigProvider.ConfigProvider, ["PARLEY"]))
  return names.filter((name) => !known.has(name))
})
