import { assert, describe, it } from "@effect/vitest"
import {
  type CsvOptions,
  isInvalidRecord,
  type FilePosition,
  readCsv,
  readCsvHead,
  readNdjson,
  type RecordResult,
  writeCsv,
  writeNdjson
} from "@parley/domain/platform"
import { Effect, Schema, Stream } from "effect"

const utf8 = new TextEncoder()
const bytesOf = (file: string | Uint8Array) => (typeof file === "string" ? utf8.encode(file) : file)

/** The bytes from there on, in pieces of that size, out of one buffer that is used again and again. */
const inPieces = (file: string | Uint8Array, size = 7, from = 0): Stream.Stream<Uint8Array> => {
  const bytes = bytesOf(file).subarray(from)
  const buffer = new Uint8Array(size)
  return Stream.fromIterable(Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size)).pipe(
    Stream.rechunk(1),
    Stream.map((at) => {
      const piece = bytes.subarray(at, at + size)
      buffer.set(piece)
      return buffer.subarray(0, piece.length)
    })
  )
}

const joined = (stream: Stream.Stream<Uint8Array>) =>
  Effect.map(Stream.runCollect(stream), (pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece])))

const csv = (file: string | Uint8Array, options: CsvOptions = {}, size?: number) =>
  Stream.runCollect(readCsv(options)(inPieces(file, size)))

const ndjson = (file: string | Uint8Array, size?: number) => Stream.runCollect(readNdjson()(inPieces(file, size)))

const brief = <Cells>(readings: ReadonlyArray<RecordResult<Cells>>) =>
  readings.map((reading) => (isInvalidRecord(reading) ? [reading.line, reading.fault] : [reading.line, reading.cells]))

const wrongCount = "The row has 1 cell, and the header has 2."
const unclosed = "A quoted cell is never closed."
const unclosedSoon = "A quoted cell is not closed within 1 MiB."
const textAfterQuote = "A quoted cell is followed by neither a delimiter nor the end of the row."
const quoteInside = 'An unquoted cell contains a quote. Quote the cell, and double the quote in it: "".'
const tooLong = "The row is longer than 1 MiB."
const notUtf8 = "The row is not valid UTF-8. Save the file as UTF-8."

/** Files with everything that is hard in them, good and bad. */
const hard: ReadonlyArray<string | Uint8Array> = [
  "",
  "\n\n",
  "a,b",
  "a,b\n1,2",
  "a,b\r\n1,2\r\n",
  "a,b\r1,2\r3,4\r",
  "\uFEFFa,b\n1,\uFEFF2\n",
  'a,b\n"1\r\n2","3\r4\n5"\r\n\r\n6,7\n',
  'a;b\n"1;""2""",ü€🥐\n"1;2";3\n',
  "a\tb\tc\n1\t2\t3\n",
  'a,b\n1\n2,3\n"4,5\n6,7\n',
  'a,b\n"1"x,2\n3,4\nx"y,5\n6,7\n"8\n9"z,1\n2,3\n',
  'a,b\n1,"\n2,"\n3,"\n4,5',
  'a,b\n"","""",\n"""",""\n',
  Uint8Array.from([...bytesOf("a,b\nü,"), 0xff, ...bytesOf("\n1,é\n"), 0xc3])
]

describe("reading CSV", () => {
  it.effect("gives each row by the names in the header, with the line it starts in", () =>
    Effect.gen(function* () {
      const file = '\uFEFFname,"note, long"\r\nAda,"one\r\ntwo ""three"""\r\n\r\nBob,\n'
      assert.deepStrictEqual(brief(yield* csv(file)), [
        [2, { name: "Ada", "note, long": 'one\r\ntwo "three"' }],
        [5, { name: "Bob", "note, long": "" }]
      ])
    })
  )

  it.effect("takes LF, CRLF and CR for line ends", () =>
    Effect.gen(function* () {
      for (const end of ["\n", "\r\n", "\r"]) {
        const rows = brief(yield* csv(["a,b", "1,2", "3,4"].join(end)))
        assert.deepStrictEqual(rows, [
          [2, { a: "1", b: "2" }],
          [3, { a: "3", b: "4" }]
        ])
      }
    })
  )

  it.effect("finds the delimiter that divides the header best, unless it is given", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(brief(yield* csv('"a,x";b\n1;2')), [[2, { "a,x": "1", b: "2" }]])
      assert.deepStrictEqual(brief(yield* csv("a\tb\n1\t2,3")), [[2, { a: "1", b: "2,3" }]])
      assert.deepStrictEqual(brief(yield* csv("a\n1;2")), [[2, { a: "1;2" }]])
      assert.deepStrictEqual(brief(yield* csv("a;b,c\n1,2", { delimiter: "," })), [[2, { "a;b": "1", c: "2" }]])
    })
  )

  it.effect("says why a row cannot be read, and goes on with the line below", () =>
    Effect.gen(function* () {
      const expected = [
        [2, wrongCount],
        [3, textAfterQuote],
        [4, quoteInside],
        [5, textAfterQuote],
        [6, quoteInside],
        [7, { a: "1", b: "2" }],
        [8, unclosed],
        [9, { a: "3", b: "4" }]
      ]
      const file = 'a,b\n1\n"1"x,2\n1,5" pipe\n"open,1\nover"here,2\n1,2\n"open,1\n3,4\n'
      assert.deepStrictEqual(brief(yield* csv(file)), expected)
    })
  )

  it.effect("says which rows are not UTF-8", () =>
    Effect.gen(function* () {
      const file = Uint8Array.from([...bytesOf("a,b\nü,"), 0xff, ...bytesOf("\n1,é\n2,"), 0xc3])
      assert.deepStrictEqual(brief(yield* csv(file)), [
        [2, notUtf8],
        [3, { a: "1", b: "é" }],
        [4, notUtf8]
      ])
    })
  )

  it.effect("leaves out a row that is longer than 1 MiB, and no shorter one", () =>
    Effect.gen(function* () {
      const most = 1024 * 1024
      const long = "x".repeat(most - 2)
      const file = `a,b\n1,${long}\n1,${long}y\r\n2,"${"z\n".repeat(3)}${long}\n"\n3,4\n1,${long}${long}`
      for (const size of [1_000, 65_536, 262_144, 10_000_000]) {
        const rows = brief(yield* csv(file, {}, size)).map(([line, row]) => [
          line,
          typeof row === "string" ? row : "row"
        ])
        assert.deepStrictEqual(
          rows,
          [
            [2, "row"],
            [3, tooLong],
            [4, unclosedSoon],
            [5, wrongCount],
            [6, wrongCount],
            [7, wrongCount],
            [8, unclosedSoon],
            [9, "row"],
            [10, tooLong]
          ],
          `in pieces of ${size}`
        )
      }
    })
  )

  it.effect("stops at a header that says nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(brief(yield* csv("")), [[1, "The file is empty."]])
      assert.deepStrictEqual(brief(yield* csv("a,,c\n1,2,3")), [[1, "Column 2 of the header has no name."]])
      assert.deepStrictEqual(brief(yield* csv("\na,b,a\n1,2,3")), [[2, 'The header has the name "a" more than once.']])
      assert.deepStrictEqual(brief(yield* csv('a,b"\n1,2')), [[1, quoteInside]])
    })
  )

  it.effect("has columns of any name", () =>
    Effect.gen(function* () {
      const [row] = yield* csv("__proto__,constructor\n1,2")
      assert.isDefined(row)
      assert.isTrue(!isInvalidRecord(row) && Object.hasOwn(row.cells, "__proto__"))
    })
  )

  it.effect("reads the same in pieces of any size", () =>
    Effect.gen(function* () {
      for (const file of hard) {
        const whole = yield* csv(file, {}, 10_000)
        for (let size = 1; size <= 12; size++) assert.deepStrictEqual(yield* csv(file, {}, size), whole, `${size}`)
      }
    })
  )

  it.effect("reads on behind every row as if it had never stopped", () =>
    Effect.gen(function* () {
      for (const file of hard) {
        const head = yield* readCsvHead()(inPieces(file))
        if (isInvalidRecord(head)) continue
        const { delimiter, header, next } = head
        const all = yield* csv(file)
        const restFrom = (from: FilePosition) =>
          Stream.runCollect(readCsv({ delimiter, header, from })(inPieces(file, 5, from.offset)))
        assert.deepStrictEqual(yield* restFrom(next), all, "behind the header")
        for (const [at, reading] of all.entries())
          assert.deepStrictEqual(yield* restFrom(reading.next), all.slice(at + 1), `behind line ${reading.line}`)
      }
    })
  )

  it.effect("takes a first row for cells when the header is known", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(brief(yield* csv("1,2", { header: ["a", "b"] })), [[1, { a: "1", b: "2" }]])
      assert.deepStrictEqual(brief(yield* csv("", { header: ["a", "b"] })), [])
    })
  )

  it.effect("passes on errors of its source", () =>
    Effect.gen(function* () {
      const broken = Stream.concat(inPieces("a,b\n1,2\n3,"), Stream.fail("cut off"))
      assert.strictEqual(yield* Effect.flip(Stream.runCollect(readCsv()(broken))), "cut off")
    })
  )
})

/** Texts of the pieces that CSV and spreadsheets take for something else. */
const HostileText = Schema.Array(
  Schema.Union([
    Schema.Literals([
      "'",
      "''",
      "=",
      "+",
      "-",
      "@",
      "\t",
      "\r",
      "\n",
      "\r\n",
      '"',
      '""',
      ",",
      ";",
      "＝",
      "＋",
      "－",
      "＠"
    ]),
    Schema.Literals(["\uFEFF", "\u0000", "ü", "🥐", "+49", "1.5", "sum(A1)", " "]),
    Schema.String.check(Schema.isPattern(/^[^\uD800-\uDFFF]*$/u))
  ])
).check(Schema.isMaxLength(6))

const Rows = Schema.Array(Schema.Tuple([HostileText, HostileText])).check(Schema.isMaxLength(5))

describe("writing CSV", () => {
  it.effect("quotes what must be, and has lines as RFC 4180 has them", () =>
    Effect.gen(function* () {
      const rows = Stream.make({ name: 'Ada "the first"', note: "a,b" }, { name: "Bob\nJr." })
      const file = yield* joined(writeCsv(["name", "note"])(rows))
      assert.strictEqual(new TextDecoder().decode(file), 'name,note\r\n"Ada ""the first""","a,b"\r\n"Bob\nJr.",\r\n')
    })
  )

  it.effect("defuses what a spreadsheet would run, and leaves numbers as they are", () =>
    Effect.gen(function* () {
      const written = Effect.fnUntraced(function* (cell: string) {
        const text = new TextDecoder().decode(yield* joined(writeCsv(["cell"])(Stream.make({ cell }))))
        return text.slice("cell\r\n".length, -2)
      })
      for (const cell of ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "＝1", "＋1", "－1", "＠x", "-", "+49 151", "'=1"])
        assert.strictEqual(yield* written(cell), `'${cell}`)
      for (const cell of ["\t=1", "\r=1", "\n=1"]) assert.strictEqual(yield* written(cell), `"'${cell}"`)
      for (const cell of ["+4915112345678", "-3", "+1.50", "1=1", "'", "'a", "a-b", "'+49"])
        assert.strictEqual(yield* written(cell), cell)
    })
  )

  const formats = [
    "\u00AD",
    "\u034F",
    "\u061C",
    "\u180E",
    "\u200B",
    "\u200C",
    "\u200D",
    "\u200E",
    "\u200F",
    "\u202A",
    "\u202E"
  ]
  const ignorable = ["\u2060", "\u2066", "\u2069", "\uFE0F", "\uFEFF", "\uFFA0", "\u{E0001}", "\u{E0020}"]
  const blanks = [" ", "\t", "\u00A0", "\u2003", "\u3000", "\0", "\u0007", "\u001B", "\u007F", "\u0085"]
  const unseen = [...formats, ...ignorable, ...blanks]
  const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  it.effect.prop(
    "neutralizes formulas behind invisible characters, and restores the original text",
    {
      before: Schema.Array(Schema.Literals(unseen)).check(Schema.isMaxLength(6)),
      sign: Schema.Literals(signs),
      apostrophes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
      after: Schema.Array(Schema.Literals(["1", "cmd|' /C calc'!A0", '"', ",", ";", "\n", "=", "ü"]))
    },
    ({ after, apostrophes, before, sign }) =>
      Effect.gen(function* () {
        const cell = `${"'".repeat(apostrophes)}${before.join("")}${sign}x${after.join("")}`
        const file = yield* joined(writeCsv(["cell"])(Stream.make({ cell })))
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(file).slice("cell\r\n".length)
        assert.isTrue(text.startsWith(`'${cell.slice(0, 1)}`) || text.startsWith(`"'`), JSON.stringify(text))
        const [row] = yield* csv(file, {}, 100_000)
        assert.deepStrictEqual(row !== undefined && !isInvalidRecord(row) ? row.cells["cell"] : null, cell)
      })
  )

  it.effect("writes a header though there are no rows", () =>
    Effect.gen(function* () {
      const file = yield* joined(writeCsv(["=a", "b"])(Stream.empty))
      assert.strictEqual(new TextDecoder().decode(file), "'=a,b\r\n")
    })
  )

  it.effect.prop("reads back equal for all texts", { rows: Rows }, ({ rows }) =>
    Effect.gen(function* () {
      for (const header of [["=a", "+b"], ["only"]]) {
        const given = rows.map((texts) =>
          Object.fromEntries(header.map((name, at) => [name, (texts[at] ?? []).join("")]))
        )
        const file = yield* joined(writeCsv(header)(Stream.fromIterable(given)))
        const whole = yield* csv(file, {}, 100_000)
        assert.deepStrictEqual(
          whole.map((reading) => (isInvalidRecord(reading) ? reading.fault : reading.cells)),
          given
        )
        for (const size of [1, 2, 3]) assert.deepStrictEqual(yield* csv(file, {}, size), whole)
      }
    })
  )
})

describe("NDJSON", () => {
  it.effect("gives each object with the line it is in, and says why others cannot be read", () =>
    Effect.gen(function* () {
      const file = Uint8Array.from([
        ...bytesOf('\uFEFF{"a":1}\r\n\r\n[1]\n{"a":\n"text"\n{"b":"ü\\n🥐"}\n'),
        0xff,
        ...bytesOf('\nnull\n{"c":null}')
      ])
      for (const size of [1, 2, 3, 1_000]) {
        assert.deepStrictEqual(brief(yield* ndjson(file, size)), [
          [1, { a: 1 }],
          [3, "The row is not a JSON object."],
          [4, "The row is not valid JSON."],
          [5, "The row is not a JSON object."],
          [6, { b: "ü\n🥐" }],
          [7, notUtf8],
          [8, "The row is not a JSON object."],
          [9, { c: null }]
        ])
      }
      const all = yield* ndjson(file)
      for (const [at, { next }] of all.entries()) {
        const rest = yield* Stream.runCollect(readNdjson({ from: next })(inPieces(file, 4, next.offset)))
        assert.deepStrictEqual(rest, all.slice(at + 1))
      }
    })
  )

  it.effect("leaves out a row that is longer than 1 MiB", () =>
    Effect.gen(function* () {
      const file = `{"a":"${"x".repeat(3 * 1024 * 1024)}"}\r\n{"a":1}\n`
      for (const size of [60_000, 262_144, 10_000_000])
        assert.deepStrictEqual(brief(yield* ndjson(file, size)), [
          [1, tooLong],
          [2, { a: 1 }]
        ])
    })
  )

  it.effect.prop("is read back as it was", { texts: Schema.Array(HostileText) }, ({ texts }) =>
    Effect.gen(function* () {
      const rows = texts.map((text) => ({ text: text.join(""), list: text }))
      const file = yield* joined(writeNdjson(Stream.fromIterable(rows)))
      assert.deepStrictEqual(
        (yield* ndjson(file, 3)).map((reading) => (isInvalidRecord(reading) ? reading.fault : reading.cells)),
        rows
      )
    })
  )
})
