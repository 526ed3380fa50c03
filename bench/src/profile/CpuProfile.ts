import { Schema } from "effect"

const Node = Schema.Struct({
  id: Schema.Int,
  callFrame: Schema.Struct({ functionName: Schema.String, url: Schema.String, lineNumber: Schema.Int }),
  children: Schema.optionalKey(Schema.Array(Schema.Int))
})

/** Output of `node --cpu-prof`. */
export const CpuProfile = Schema.Struct({
  nodes: Schema.Array(Node),
  startTime: Schema.Finite,
  endTime: Schema.Finite,
  samples: Schema.Array(Schema.Int),
  timeDeltas: Schema.Array(Schema.Finite)
})
export type CpuProfile = typeof CpuProfile.Type

/** Microseconds that were spent somewhere. */
export interface Cost {
  readonly where: string
  readonly micros: number
}

const packageOf = (url: string) => {
  if (url === "") return "(native)"
  if (url.startsWith("node:")) return "node"
  const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)(.*)$/.exec(url)
  if (installed !== null) return `${installed[1]} ${installed[2]}`
  return url.replace(/^.*\/(packages|bench)\//, "$1/")
}

const sumBy = (profile: CpuProfile, since: number, key: (node: CpuProfile["nodes"][number]) => string) => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const sums = new Map<string, number>()
  let time = profile.startTime
  profile.samples.forEach((id, index) => {
    const micros = profile.timeDeltas[index] ?? 0
    time += micros
    const node = nodes.get(id)
    if (node === undefined || time < since) return
    const where = key(node)
    sums.set(where, (sums.get(where) ?? 0) + micros)
  })
  return Array.from(sums, ([where, micros]): Cost => ({ where, micros })).toSorted(
    (one, other) => other.micros - one.micros
  )
}

/** CPU time of the last microseconds, by file or by function. */
export const costs = (profile: CpuProfile, lastMicros: number) => {
  const since = profile.endTime - lastMicros
  return {
    files: sumBy(profile, since, ({ callFrame: { functionName, url } }) =>
      url === "" ? functionName : packageOf(url)
    ),
    functions: sumBy(
      profile,
      since,
      ({ callFrame: { functionName, lineNumber, url } }) =>
        `${functionName === "" ? "(anonymous)" : functionName} ${url === "" ? "" : `${packageOf(url)}:${lineNumber + 1}`}`
    )
  }
}
