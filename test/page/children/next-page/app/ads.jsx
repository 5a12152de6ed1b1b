"use client";

import { createClient, pollJob } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { useEffect, useState } from "react";

const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });

/** The newest job's pictures. */
export const Ads = () => {
  const [images, setImages] = useState([]);
  useEffect(() => {
    const showNewest = async () => {
      const { items } = await client.jobs.list();
      if (items[0]) setImages((await pollJob(client, items[0])).result.images);
    };
    void showNewest();
  }, []);
  return images.map(({ url }) => <img key={url} src={url} alt="The ad" />);
};
