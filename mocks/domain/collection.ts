/** Things in the order they came. A call costs as much as it touches, however many there are. */
export interface Collection<Item extends { readonly id: string }> {
  get(id: string): Item | undefined;
  /** Adds a thing, or replaces the one with its id. */
  set(item: Item): void;
  /** Deletes a thing; `false` when there is none with this id. */
  delete(id: string): boolean;
  /** Number of things. */
  readonly size: number;
  /** Lists at most `limit` things, newest first, as `view` shows them; `undefined` skips one. */
  list<View>(limit: number, view: (item: Item) => View | undefined): View[];
  /**
   * Lists as `list` does. A thing that `view` shows as `null` is left out now and ever after. Later
   * calls do not walk through such things again; nor does `newest`, when it begins above them.
   */
  listLasting<View>(limit: number, view: (item: Item) => View | null): View[];
  /**
   * Reads the things, newest first.
   *
   * @param before - Id of a thing: only those that came before it
   */
  newest(before?: string): Iterable<Item>;
}

export const createCollection = <Item extends { readonly id: string }>(): Collection<Item> => {
  const places = new Map<string, number>();
  let items: (Item | undefined)[] = [];
  /** Runs of places that are left out: the last place of each, and the place before its first. */
  const runs = new Map<number, number>();

  const closeGaps = (): void => {
    runs.clear();
    items = items.filter((item) => item !== undefined);
    items.forEach((item, place) => {
      if (item) places.set(item.id, place);
    });
  };

  return {
    get: (id) => {
      const place = places.get(id);
      return place === undefined ? undefined : items[place];
    },
    set: (item) => {
      const place = places.get(item.id) ?? items.length;
      places.set(item.id, place);
      items[place] = item;
    },
    delete: (id) => {
      const place = places.get(id);
      if (place === undefined) return false;
      places.delete(id);
      items[place] = undefined;
      // Half of the places are gaps: closing them costs no more than the deletions did.
      if (items.length > places.size * 2) closeGaps();
      return true;
    },
    get size() {
      return places.size;
    },
    list: (limit, view) => {
      const views = [];
      for (let place = items.length - 1; place >= 0 && views.length < limit; place -= 1) {
        const item = items[place];
        const shown = item && view(item);
        if (shown !== undefined) views.push(shown);
      }
      return views;
    },
    listLasting: (limit, view) => {
      const views = [];
      let end: number | undefined;
      let place = items.length - 1;
      while (place >= 0 && views.length < limit) {
        const next = runs.size === 0 ? undefined : runs.get(place);
        const item = items[place];
        const shown = next === undefined && item !== undefined ? view(item) : null;
        if (shown === null) {
          end ??= place;
          runs.delete(place);
          place = next ?? place - 1;
        } else {
          if (end !== undefined) runs.set(end, place);
          end = undefined;
          views.push(shown);
          place -= 1;
        }
      }
      if (end !== undefined) runs.set(end, place);
      return views;
    },
    *newest(before) {
      let place = (before === undefined ? items.length : (places.get(before) ?? 0)) - 1;
      while (place >= 0) {
        const next = runs.size === 0 ? undefined : runs.get(place);
        const item = items[place];
        if (next === undefined && item !== undefined) yield item;
        place = next ?? place - 1;
      }
    },
  };
};
