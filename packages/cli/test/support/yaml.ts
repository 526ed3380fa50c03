/** A value of a YAML document. */
export type Yaml = string | number | boolean | null | ReadonlyArray<Yaml> | YamlMap
export interface YamlMap {
  readonly [key: string]: Yaml
}

interface Line {
  readonly indent: number
  readonly text: string
  readonly number: number
}

const isMap = (value: Yaml | undefined): value is YamlMap =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const key = /^(?:"(?<quoted>[^"]+)"|(?<plain>[\w<./-]+)):(?: +(?<rest>.+))?$/u

const scalars: Readonly<Record<string, Yaml>> = { true: true, false: false, null: null }

const fail = (line: Line | undefined, problem: string): never => {
  throw new Error(`line ${line?.number ?? "last"}: ${problem}: ${line?.text ?? ""}`)
}

/** Reads a flow value, such as `[a, "b"]` or `{ a: 1 }`. */
class Flow {
  private at = 0
  private readonly line: Line
  private readonly text: string

  constructor(line: Line, text: string) {
    this.line = line
    this.text = text
  }

  all(): Yaml {
    const value = this.text.startsWith("[") || this.text.startsWith("{") ? this.value() : this.whole()
    return this.text.slice(this.at).trim() === "" ? value : fail(this.line, "text after a value")
  }

  private match(pattern: RegExp): string | undefined {
    const found = new RegExp(pattern, "uy")
    found.lastIndex = this.at
    const text = found.exec(this.text)?.[0]
    this.at += text?.length ?? 0
    return text
  }

  private quoted(): string | undefined {
    const double = this.match(/"(?:[^"\\]|\\.)*"/)
    if (double !== undefined) return JSON.parse(double)
    return this.match(/'(?:[^']|'')*'/)
      ?.slice(1, -1)
      .replaceAll("''", "'")
  }

  private plain(text: string): Yaml {
    if (/^[&*!%@`|>]|: | #/u.test(text)) return fail(this.line, "a plain value with a special character")
    if (/^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text)
    return scalars[text] ?? text
  }

  private whole(): Yaml {
    return this.quoted() ?? this.plain(this.match(/.+/) ?? "")
  }

  private value(): Yaml {
    if (this.match(/\[ */) !== undefined) return this.list()
    if (this.match(/\{ */) !== undefined) return this.map()
    return this.quoted() ?? this.plain((this.match(/[^,[\]{}]+/) ?? fail(this.line, "no value")).trim())
  }

  private list(): ReadonlyArray<Yaml> {
    const items: Array<Yaml> = []
    while (this.match(/ *\]/) === undefined) {
      items.push(this.value())
      if (this.match(/ *, */) === undefined && !/^ *\]/u.test(this.text.slice(this.at))) {
        return fail(this.line, "no comma")
      }
    }
    return items
  }

  private map(): YamlMap {
    const entries: Array<[string, Yaml]> = []
    while (this.match(/ *\}/) === undefined) {
      const name = this.quoted() ?? this.match(/[\w-]+/) ?? fail(this.line, "no key")
      if (this.match(/: +/) === undefined) return fail(this.line, "no colon")
      entries.push([name, this.value()])
      if (this.match(/ *, */) === undefined && !/^ *\}/u.test(this.text.slice(this.at))) {
        return fail(this.line, "no comma")
      }
    }
    return Object.fromEntries(entries)
  }
}

class Reader {
  private readonly lines: Array<Line>
  private readonly anchors = new Map<string, Yaml>()

  constructor(text: string) {
    this.lines = text
      .split("\n")
      .map((line, index) => ({ indent: /^ */u.exec(line)?.[0].length ?? 0, text: line.trim(), number: index + 1 }))
      .filter((line) => line.text !== "" && !line.text.startsWith("#"))
  }

  document(): Yaml {
    const value = this.block(0)
    return this.lines.length === 0 ? value : fail(this.lines[0], "wrong indentation")
  }

  private block(least: number): Yaml {
    const [first] = this.lines
    if (first === undefined || first.indent < least) return null
    if (/^[[{]/u.test(first.text)) {
      this.lines.shift()
      return new Flow(first, first.text).all()
    }
    return first.text.startsWith("- ") ? this.list(first.indent) : this.map(first.indent)
  }

  private list(indent: number): ReadonlyArray<Yaml> {
    const items: Array<Yaml> = []
    for (let [line] = this.lines; line?.indent === indent && line.text.startsWith("- "); [line] = this.lines) {
      const rest = { ...line, indent: indent + 2, text: line.text.slice(2) }
      if (key.test(rest.text)) {
        this.lines[0] = rest
        items.push(this.map(indent + 2))
      } else {
        this.lines.shift()
        items.push(new Flow(rest, rest.text).all())
      }
    }
    return items
  }

  private map(indent: number): YamlMap {
    const found = new Map<string, Yaml>()
    let merged: YamlMap = {}
    for (let [line] = this.lines; line?.indent === indent; [line] = this.lines) {
      const { plain, quoted, rest = "" } = key.exec(line.text)?.groups ?? fail(line, "no key")
      const name = quoted ?? plain ?? ""
      if (found.has(name)) return fail(line, "a repeated key")
      this.lines.shift()
      const value = this.valueOf(line, rest)
      if (name !== "<<") found.set(name, value)
      else merged = isMap(value) ? value : fail(line, "a merged value that is no map")
    }
    return { ...merged, ...Object.fromEntries(found) }
  }

  private valueOf(line: Line, rest: string): Yaml {
    if (rest.startsWith("*")) return this.anchors.get(rest.slice(1)) ?? fail(line, "an unknown anchor")
    if (rest === "|" || rest === ">-") return this.text(line, rest === "|" ? "\n" : " ")
    const [, anchor] = /^&(\w+)$/u.exec(rest) ?? []
    const value = rest === "" || anchor !== undefined ? this.block(line.indent + 1) : new Flow(line, rest).all()
    if (anchor !== undefined) this.anchors.set(anchor, value)
    return value
  }

  private text(line: Line, separator: string): string {
    const end = this.lines.findIndex(({ indent }) => indent <= line.indent)
    const parts = this.lines.splice(0, end === -1 ? this.lines.length : end)
    return parts.map(({ text }) => text).join(separator)
  }
}

/**
 * Reads the part of YAML that the files of `deploy/` use, and refuses the rest. Comments have their own lines. The keys of a map
 * replace merged keys.
 */
export const readYaml = (text: string): Yaml => new Reader(text).document()
