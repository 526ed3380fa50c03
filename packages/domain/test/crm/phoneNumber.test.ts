import { assert, describe, it } from "@effect/vitest"
import {
  identityKey,
  parsePhoneNumber,
  parseProviderNumber,
  PhoneNumber,
  PhoneNumberInput,
  isSameIdentity,
  phoneSearchKey
} from "@parley/domain/crm"
import { Option, Schema } from "effect"

const isPhoneNumber = Schema.is(PhoneNumber)
const decode = Schema.decodeUnknownOption(PhoneNumberInput)

describe("a number that a provider shows", () => {
  it.each([
    ["+1 555-078-3881", "+15550783881"],
    ["15550783881", "+15550783881"],
    ["+49 30 123456", "+4930123456"],
    ["+49 (0)170/123-45.67", "+491701234567"],
    ["+55 11 98765-4321", "+5511987654321"],
    ["+521 55 1234 5678", "+525512345678"],
    ["", null],
    ["+", null],
    ["hello", null],
    ["+49", null],
    ["+1 555-078-3881 x12", null],
    ["+1 555 078 3881 555 078 3881", null],
    ["0170 1234567", null]
  ])("is read: %s", (text, number) => {
    assert.strictEqual(parseProviderNumber(text), number)
  })
})

describe("a phone number", () => {
  it.each([
    ["+49 170 1234567", null, "+491701234567"],
    [" +49 (0)170/123-45.67 ", null, "+491701234567"],
    ["+49\u00a0170\u20111234567", null, "+491701234567"],
    ["+٤٩١٧٠١٢٣٤٥٦٧", null, "+491701234567"],
    ["0170 1234567", "DE", "+491701234567"],
    ["0049 170 1234567", "DE", "+491701234567"],
    ["+491701234567", "US", "+491701234567"],
    ["+491701234567", "XX", "+491701234567"],
    ["(650) 253-0000", "US", "+16502530000"],
    ["06 698 12345", "IT", "+390669812345"],
    ["+800 1234 5678", null, "+80012345678"]
  ])("is read as people write it: %s in %s", (text, country, number) => {
    assert.strictEqual(parsePhoneNumber(text, country), number)
  })

  it.each([
    ["+55 11 98765-4321", null, "+5511987654321"],
    ["+55 11 8765-4321", null, "+5511987654321"],
    ["+55 11 7765-4321", null, "+5511977654321"],
    ["(11) 8765-4321", "BR", "+5511987654321"],
    ["+55 11 3265-4321", null, "+551132654321"],
    ["+55 11 5765-4321", null, "+551157654321"],
    ["+52 1 55 1234 5678", null, "+525512345678"],
    ["+52 55 1234 5678", null, "+525512345678"],
    ["55 1234 5678", "MX", "+525512345678"],
    ["+54 9 11 2345-6789", null, "+5491123456789"],
    ["+54 11 15 2345-6789", null, "+5491123456789"],
    ["011 15-2345-6789", "AR", "+5491123456789"],
    ["+54 11 2345-6789", null, "+541123456789"]
  ])("is spelled as it is dialled today: %s in %s", (text, country, number) => {
    assert.strictEqual(parsePhoneNumber(text, country), number)
  })

  it.each([
    "",
    " ",
    "+",
    "abc",
    "123",
    "+999 123456",
    "+49 170 123",
    "+4917012345678901234",
    "+55 11 1",
    "+52 1 5512",
    "170 1234567",
    "0170 1234567",
    "0049 170 1234567",
    "+49 170 1234567 ext. 5",
    "+49 170 1234567x5",
    "+49 170 1234567;ext=5",
    "call +49 170 1234567 now",
    "+49 170 1234567 / +49 170 1234568",
    "tel:+491701234567",
    "+49170\n1234567",
    "+49170\u00001234567",
    "'; DROP TABLE contacts; --",
    "+".repeat(64),
    "9".repeat(10_000)
  ])("is none of this: %s", (text) => {
    assert.isNull(parsePhoneNumber(text))
    assert.isTrue(Option.isNone(decode(text)))
  })

  it("is invalid with letters or for emergency numbers in every country", () => {
    assert.isNull(parsePhoneNumber("1-800-FLOWERS", "US"))
    assert.isNull(parsePhoneNumber("110", "DE"))
    assert.isNull(parsePhoneNumber("0170 1234567", "XX"))
  })

  it("is accepted from outside up to the common length only", () => {
    assert.deepStrictEqual(decode(`+49 170 1234567${" ".repeat(49)}`), Option.some("+491701234567"))
    assert.isTrue(Option.isNone(decode(`+49 170 1234567${" ".repeat(50)}`)))
    assert.isTrue(Option.isNone(decode(491_701_234_567)))
  })

  it.prop(
    "parses again to itself for every input",
    {
      country: Schema.Literals(["49", "55", "52", "521", "54", "549", "1", "44", "91", "7"]),
      digits: Schema.String.check(Schema.isPattern(/^[0-9]{6,11}$/u))
    },
    ({ country, digits }) => {
      const number = parsePhoneNumber(`+${country}${digits}`)
      if (number === null) return
      assert.isTrue(isPhoneNumber(number))
      assert.strictEqual(parsePhoneNumber(number), number)
      assert.strictEqual(phoneSearchKey(phoneSearchKey(number)), phoneSearchKey(number))
    },
    { arbitrary: { runs: 500, seed: "numbers" } }
  )
})

describe("a subscriber", () => {
  it.each([
    ["+5511987654321", "+551187654321"],
    ["+5491123456789", "+541123456789"],
    ["+491701234567", "+491701234567"]
  ])("is the same under %s and %s", (one, other) => {
    assert.strictEqual(phoneSearchKey(one), phoneSearchKey(other))
    assert.isTrue(isSameIdentity({ kind: "phone", value: one }, { kind: "phone", value: other }))
  })

  it.each([
    ["+5511987654321", "+5521987654321"],
    ["+5511932654321", "+551132654321"],
    ["+525512345678", "+5215512345679"],
    ["+491701234567", "+4917012345678"],
    ["+549112345678", "+54112345678"]
  ])("is another under %s and %s", (one, other) => {
    assert.notStrictEqual(phoneSearchKey(one), phoneSearchKey(other))
  })

  it("is looked for in phone numbers only", () => {
    const value = "+5511987654321"
    assert.strictEqual(identityKey({ kind: "external", value }), value)
    assert.isFalse(isSameIdentity({ kind: "external", value }, { kind: "phone", value }))
    assert.isFalse(isSameIdentity({ kind: "external", value }, { kind: "external", value: "+551187654321" }))
  })
})
