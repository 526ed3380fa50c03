/** A person who writes to organizations. The provider's data about a person is always equal. */
export interface Person {
  /** In digits only, like the provider; `null` if it reports none. */
  readonly phone: string | null
  readonly chatUser: string | null
  readonly name: string
  /** How organizations know the person before anything is delivered: not at all, in open conversations, or blocked. */
  readonly standing: "stranger" | "known" | "blocked"
}

const names = ["Ann", "Jörg", "Zoë", "Ngọc", "Óscar", "Şule"]

/** This number of people. Known people have a phone number. */
export const makePeople = (count: number): ReadonlyArray<Person> =>
  Array.from({ length: count }, (_, place) => {
    const standing = place % 3 === 0 ? (place % 15 === 0 ? "blocked" : "known") : "stranger"
    const hasPhone = standing !== "stranger" || place % 4 !== 1
    return {
      phone: hasPhone ? `49151${String(place).padStart(8, "0")}` : null,
      chatUser: !hasPhone || place % 2 === 0 ? `US.${10_000_000 + place}` : null,
      name: `${names[place % names.length] ?? "Kim"} ${place}`,
      standing
    }
  })
