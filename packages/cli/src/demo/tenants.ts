/** Who is in the demo. Nobody else can have these addresses: `.example` is set aside for examples. */
export const demoTenants = [
  {
    organization: { name: "Acme", slug: "demo-acme", plan: "growth" },
    user: { name: "Dana Demo", email: "demo@parley.example" }
  },
  {
    organization: { name: "Corner Shop", slug: "demo-corner-shop", plan: "free" },
    user: { name: "Frida Free", email: "free@parley.example" }
  }
] as const

export type DemoTenant = (typeof demoTenants)[number]
