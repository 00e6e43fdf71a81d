import { expect, test } from "@jest/globals";
import { World } from "./histories/world";

const create = (world: World, name = "ci-0a1b2c3") =>
  world.serve("one", "POST", "/v2/tokens", "A", JSON.stringify({ name }));

test("the judge of the histories sees a create that is sent again, unless its effect was undone and that was confirmed", () => {
  const world = new World(1);
  world.mayRevoke = () => true;
  create(world);
  const [token] = world.live.values();
  world.serve("one", "DELETE", `/v2/tokens/${token?.id}`, "A", "");
  world.serve("one", "GET", "/v2/tokens", "A", "");
  create(world);
  expect(world.violations).toEqual([]);
  create(world);
  expect(world.violations).toEqual(['a create of "ci-0a1b2c3" was sent again']);
});

test("it sees one that is sent again after a deletion that nobody confirmed, and one whose answer was lost", () => {
  const world = new World(1);
  world.mayRevoke = () => true;
  create(world);
  world.serve("one", "DELETE", "/v2/tokens/t1", "A", "");
  create(world);
  world.nextFault = () => "error before";
  create(world, "other-0000000");
  create(world, "other-0000000");
  expect(world.violations).toHaveLength(2);
});

test("a create that was refused for sure may be sent again", () => {
  const world = new World(1);
  world.nextFault = () => "too many";
  create(world);
  world.nextFault = () => "none";
  create(world);
  expect(world.violations).toEqual([]);
});

test("it sees the deletion of a token that is not managed", () => {
  const world = new World(1);
  const { id } = world.mint("B", { name: "theirs" });
  world.serve("one", "DELETE", `/v2/tokens/${id}`, "B", "");
  expect(world.violations).toHaveLength(1);
});
