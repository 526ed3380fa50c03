interface Family {
  readonly head: ReadonlyArray<string>
  readonly samples: Array<string>
}

const headLine = /^# (?:HELP|TYPE) (?<name>\S+)/

const named = (sample: string, process: string): string => {
  const place = sample.search(/[{ ]/)
  const [name, rest] = [sample.slice(0, place), sample.slice(place)]
  return rest.startsWith("{") ? `${name}{process="${process}",${rest.slice(1)}` : `${name}{process="${process}"}${rest}`
}

const familiesOf = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, { head: Array<string>; samples: Array<string> }>()
  let family = ""
  for (const line of text.split("\n")) {
    if (line === "") continue
    const name = headLine.exec(line)?.groups?.["name"]
    if (name !== undefined) family = name
    const { head, samples } = families.get(family) ?? { head: [], samples: [] }
    ;(name === undefined ? samples : head).push(line)
    families.set(family, { head, samples })
  }
  return families
}

/**
 * Puts the metrics of several processes together: those of one name stand together, as the format wants it, and each says whose
 * it is by the label `process`.
 */
export const mergedMetrics = (texts: ReadonlyMap<string, string>): string => {
  const merged = new Map<string, Family>()
  for (const [process, text] of texts) {
    for (const [name, { head, samples }] of familiesOf(text)) {
      const family = merged.get(name) ?? { head, samples: [] }
      family.samples.push(...samples.map((sample) => named(sample, process)))
      merged.set(name, family)
    }
  }
  return Array.from(merged.values(), ({ head, samples }) => [...head, ...samples, ""].join("\n")).join("")
}
