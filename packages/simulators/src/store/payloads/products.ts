import { amountText } from "../money.ts"
import type { ShopProduct, ShopVariant } from "../Records.ts"
import type { Shop } from "../World.ts"
import { gid, lower, timeText } from "./values.ts"

/** Returns the URL of the image of a product. */
export const imageUrlOf = (shop: Shop, { handle }: ShopProduct) =>
  `https://cdn.shopify.com/s/files/1/${shop.id}/${handle}.png`

const variantPayload = (shop: Shop, product: ShopProduct, variant: ShopVariant, place: number) => ({
  id: variant.id,
  admin_graphql_api_id: gid("ProductVariant", variant.id),
  product_id: product.id,
  title: variant.title,
  sku: variant.sku,
  price: amountText(variant.price, shop.currency),
  compare_at_price: null,
  position: place + 1,
  option1: variant.title,
  option2: null,
  option3: null,
  barcode: null,
  image_id: null,
  inventory_item_id: null,
  inventory_policy: "deny",
  inventory_quantity: variant.available ? 10 : 0,
  old_inventory_quantity: variant.available ? 10 : 0,
  taxable: true,
  created_at: timeText(product.createdAt),
  updated_at: timeText(product.updatedAt)
})

/** Payload of a product. */
export const productPayload = (shop: Shop, product: ShopProduct) => ({
  id: product.id,
  admin_graphql_api_id: gid("Product", product.id),
  title: product.title,
  handle: product.handle,
  status: lower(product.status),
  body_html: "",
  category: null,
  has_variants_that_requires_components: false,
  image: null,
  images: [],
  media: [],
  options: [],
  product_type: "",
  published_at: timeText(product.createdAt),
  published_scope: "web",
  tags: "",
  template_suffix: null,
  vendor: shop.name,
  created_at: timeText(product.createdAt),
  updated_at: timeText(product.updatedAt),
  variants: product.variants.map((variant, place) => variantPayload(shop, product, variant, place)),
  variant_gids: product.variants.map(({ id }) => ({
    admin_graphql_api_id: gid("ProductVariant", id),
    updated_at: timeText(product.updatedAt)
  }))
})
